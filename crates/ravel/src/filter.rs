//! Which sessions and prompts a person asks for.
//!
//! Several commands list things by their project and their time; these are the two filters, read
//! from options in one way. How times are said is in [`when`].

use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::failure::Failure;

mod when;

pub(crate) use when::{Since, When, parse_day, parse_since, parse_when};

/// Projects by their folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ProjectFilter {
    /// The folder itself and what is below it.
    Below(PathBuf),
    /// Folders whose path contains this text, in lower case.
    Containing(String),
}

impl ProjectFilter {
    /// Reads the option: `.` is the working folder, anything else a part of a path.
    pub(crate) fn new(context: &Context, project: &str) -> Result<Self, Failure> {
        Ok(match project {
            "." => Self::Below(context.working_folder()?),
            part => Self::Containing(part.to_lowercase()),
        })
    }

    /// Tells whether a project is asked for, which is known by its folder, or else by the name
    /// of its folder in the home.
    pub(crate) fn admits_project(&self, folder_or_slug: &str) -> bool {
        // No slug has a separator in it.
        match Path::new(folder_or_slug).is_absolute() {
            true => self.admits(folder_or_slug),
            false => self.admits_slug(folder_or_slug),
        }
    }

    /// Tells whether a folder is asked for.
    pub(crate) fn admits(&self, folder: &str) -> bool {
        match self {
            // Whole components: the folder `shop` has nothing to do with `shop-old`.
            Self::Below(wanted) => Path::new(folder).starts_with(wanted),
            Self::Containing(part) => folder.to_lowercase().contains(part),
        }
    }

    /// Tells whether a project folder of the home is asked for, where no line says which
    /// folder it stands for.
    pub(crate) fn admits_slug(&self, slug: &str) -> bool {
        match self {
            // What is below cannot be told: `-srv-shop-old` may be `/srv/shop/old` or not.
            Self::Below(wanted) => {
                ravel_home::slugs_of(&wanted.to_string_lossy()).contains(&slug.to_owned())
            }
            Self::Containing(_) => self.admits(slug),
        }
    }
}

#[cfg(test)]
mod tests;
