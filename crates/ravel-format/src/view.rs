//! Typed views over values in the file.
//!
//! A view is a struct of optional fields beside the [`Json`] it was read from: what is known has
//! a name and a type, and what is not known is still in the bytes. [`view!`] declares such
//! structs, one table of fields and keys each, and reads the object in a single walk.
//! Reading is total: a missing, null or oddly typed value is `None`, never an error.

use std::marker::PhantomData;

use crate::json::{Entries, Items, Json, JsonKind, JsonText};
use crate::timestamp::Timestamp;

/// A type that can be read from a JSON value.
pub trait FromJson<'a>: Sized {
    /// Returns what the value says, or `None` when it says something of another kind.
    fn read(json: Json<'a>) -> Option<Self>;
}

impl<'a> FromJson<'a> for Json<'a> {
    /// Takes anything but `null`, which writers use for "absent".
    fn read(json: Json<'a>) -> Option<Self> {
        (!json.is_null()).then_some(json)
    }
}

impl<'a> FromJson<'a> for JsonText<'a> {
    fn read(json: Json<'a>) -> Option<Self> {
        json.text()
    }
}

impl<'a> FromJson<'a> for bool {
    fn read(json: Json<'a>) -> Option<Self> {
        json.bool()
    }
}

impl<'a> FromJson<'a> for i64 {
    fn read(json: Json<'a>) -> Option<Self> {
        json.i64()
    }
}

impl<'a> FromJson<'a> for u64 {
    fn read(json: Json<'a>) -> Option<Self> {
        json.u64()
    }
}

impl<'a> FromJson<'a> for f64 {
    fn read(json: Json<'a>) -> Option<Self> {
        json.f64()
    }
}

impl<'a> FromJson<'a> for Timestamp {
    fn read(json: Json<'a>) -> Option<Self> {
        Self::from_json(json)
    }
}

/// An array whose items are read when someone asks for them.
#[derive(PartialEq, Eq)]
pub struct List<'a, T> {
    json: Json<'a>,
    items: PhantomData<fn() -> T>,
}

impl<'a, T: FromJson<'a>> List<'a, T> {
    /// Returns the array.
    pub fn json(self) -> Json<'a> {
        self.json
    }

    /// Returns the items that are of the expected kind; the array still has the others.
    pub fn iter(self) -> ListItems<'a, T> {
        ListItems {
            items: self.json.items(),
            kind: PhantomData,
        }
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<T> std::fmt::Debug for List<'_, T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.json.fmt(out)
    }
}

impl<'a, T: FromJson<'a>> FromJson<'a> for List<'a, T> {
    fn read(json: Json<'a>) -> Option<Self> {
        (json.kind() == JsonKind::Array).then_some(Self {
            json,
            items: PhantomData,
        })
    }
}

impl<'a, T: FromJson<'a>> IntoIterator for List<'a, T> {
    type Item = T;
    type IntoIter = ListItems<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The items of a [`List`].
#[derive(Clone)]
pub struct ListItems<'a, T> {
    items: Items<'a>,
    kind: PhantomData<fn() -> T>,
}

impl<'a, T: FromJson<'a>> Iterator for ListItems<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.items.by_ref().find_map(T::read)
    }
}

/// An object used as a table: names that the writer chose, with values of one kind.
#[derive(PartialEq, Eq)]
pub struct Map<'a, T> {
    json: Json<'a>,
    values: PhantomData<fn() -> T>,
}

impl<'a, T: FromJson<'a>> Map<'a, T> {
    /// Returns the object.
    pub fn json(self) -> Json<'a> {
        self.json
    }

    /// Returns names and values in file order; the object still has values of another kind.
    pub fn iter(self) -> MapEntries<'a, T> {
        MapEntries {
            entries: self.json.entries(),
            kind: PhantomData,
        }
    }
}

impl<T> Clone for Map<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Map<'_, T> {}

impl<T> std::fmt::Debug for Map<'_, T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.json.fmt(out)
    }
}

impl<'a, T: FromJson<'a>> FromJson<'a> for Map<'a, T> {
    fn read(json: Json<'a>) -> Option<Self> {
        (json.kind() == JsonKind::Object).then_some(Self {
            json,
            values: PhantomData,
        })
    }
}

impl<'a, T: FromJson<'a>> IntoIterator for Map<'a, T> {
    type Item = (JsonText<'a>, T);
    type IntoIter = MapEntries<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The names and values of a [`Map`].
#[derive(Clone)]
pub struct MapEntries<'a, T> {
    entries: Entries<'a>,
    kind: PhantomData<fn() -> T>,
}

impl<'a, T: FromJson<'a>> Iterator for MapEntries<'a, T> {
    type Item = (JsonText<'a>, T);

    fn next(&mut self) -> Option<Self::Item> {
        self.entries
            .by_ref()
            .find_map(|(name, value)| Some((name, T::read(value)?)))
    }
}

/// A `null` that is in no file, for views of what is not there.
pub(crate) fn absent<'a>() -> Json<'a> {
    Json::from_scanned(b"null")
}

/// Declares views: `Name<'a> { field: Type = "key" | "otherKey", ... }`.
///
/// Each field is an `Option` and is documented by its key; where a key stands twice or an alias
/// stands beside it, the last one wins.
macro_rules! view {
    ($(
        $(#[$meta:meta])*
        $name:ident<$life:lifetime> {
            $($(#[$field_meta:meta])* $field:ident: $kind:ty = $key:literal $(| $alias:literal)*),+ $(,)?
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name<$life> {
            /// The value this is a view of.
            pub json: $crate::Json<$life>,
            $(
                #[doc = concat!("The value of `", $key, "`.")]
                #[doc = ""]
                $(#[$field_meta])*
                pub $field: Option<$kind>,
            )+
        }

        impl<$life> $name<$life> {
            /// Reads the value; a key that is missing or odd is `None`.
            pub fn from_json(json: $crate::Json<$life>) -> Self {
                let mut view = Self { json, $($field: None,)+ };
                for (key, value) in json.entries() {
                    match &*key.decode() {
                        $($key $(| $alias)* => view.$field = $crate::FromJson::read(value),)+
                        _ => {}
                    }
                }
                view
            }
        }

        impl<$life> $crate::FromJson<$life> for $name<$life> {
            fn read(json: $crate::Json<$life>) -> Option<Self> {
                (json.kind() == $crate::JsonKind::Object).then(|| Self::from_json(json))
            }
        }
    )+};
}

/// Declares a choice between views: `Name<'a> by "tag" { Variant(View) = "name" | "other", ... }`.
///
/// The value of the tag picks the view; a name that is not in the table is `Unknown`. An empty
/// name stands for an object without the tag. Without `by "tag"` the name comes from elsewhere.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident<$life:lifetime> by $tag:literal { $($variants:tt)+ }) => {
        $crate::view::choice! { $(#[$meta])* $name<$life> { $($variants)+ } }

        impl<$life> $name<$life> {
            /// Reads the value by the name in its tag.
            pub fn from_json(json: $crate::Json<$life>) -> Self {
                Self::from_name(json.get($tag).and_then($crate::Json::text), json)
            }
        }

        impl<$life> $crate::FromJson<$life> for $name<$life> {
            fn read(json: $crate::Json<$life>) -> Option<Self> {
                (json.kind() == $crate::JsonKind::Object).then(|| Self::from_json(json))
            }
        }
    };
    (
        $(#[$meta:meta])*
        $name:ident<$life:lifetime> {
            $($(#[$variant_meta:meta])* $variant:ident($view:ident) = $key:literal $(| $alias:literal)*),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "views are made on demand and never stored")]
        pub enum $name<$life> {
            $(
                $(#[$variant_meta])*
                #[doc = ""]
                #[doc = concat!("The name in the file is `", $key, "`.")]
                $variant($view<$life>),
            )+
            /// One that has no name here; it is kept as it is.
            Unknown {
                /// The name it has in the file.
                name: Option<$crate::JsonText<$life>>,
                /// The value.
                json: $crate::Json<$life>,
            },
        }

        impl<$life> $name<$life> {
            /// Every name that has a view.
            pub const NAMED: &'static [&'static str] = &[$($key),+];

            /// Reads the value by a name that is known from elsewhere.
            pub fn from_name(
                name: Option<$crate::JsonText<$life>>,
                json: $crate::Json<$life>,
            ) -> Self {
                let known = name.map($crate::JsonText::decode);
                Self::from_known_name(known.as_deref().unwrap_or_default(), json)
                    .unwrap_or(Self::Unknown { name, json })
            }

            /// Reads the value by a name; `None` when no view has it.
            pub fn from_known_name(name: &str, json: $crate::Json<$life>) -> Option<Self> {
                match name {
                    $($key $(| $alias)* => Some(Self::$variant($view::from_json(json))),)+
                    _ => None,
                }
            }

            /// Returns the value this is a view of.
            pub fn json(self) -> $crate::Json<$life> {
                match self {
                    $(Self::$variant(view) => view.json,)+
                    Self::Unknown { json, .. } => json,
                }
            }
        }
    };
}

pub(crate) use {choice, view};
