//! The cache into figures. Whatever is odd about it is a finding.

use ravel_format::Timestamp;
use ravel_model::usage::Day;
use serde_json::Value;

use super::{Figure, Section};

/// The figures of a model that are compared; the client's costs are by prices of its own.
pub(super) const MODEL_KEYS: [&str; 5] = [
    "inputTokens",
    "outputTokens",
    "cacheReadInputTokens",
    "cacheCreationInputTokens",
    "webSearchRequests",
];

/// The figures of a day that are compared.
const DAY_KEYS: [&str; 3] = ["messageCount", "sessionCount", "toolCallCount"];

/// A cache with a million oddities is not worth a million lines.
const MOST_FINDINGS: usize = 5;

/// Reads sections up to a day.
pub(super) struct Reader {
    last: Option<Day>,
    pub(super) findings: Vec<String>,
}

impl Reader {
    pub(super) fn new(last: Option<Day>) -> Self {
        Self {
            last,
            findings: Vec::new(),
        }
    }

    /// Reads what stands under one key; `None` when it is not what it should be.
    pub(super) fn read(&mut self, name: &str, value: &Value) -> Option<Section> {
        match name {
            "totalSessions" | "totalMessages" => self.single(name, count(value)),
            "firstSessionDate" => self.single(name, time(value)),
            "longestSession" => self.longest(value),
            "hourCounts" => self.counts(name, value),
            "dailyActivity" => self.days(name, value, Self::day_counts),
            "dailyModelTokens" => self.days(name, value, Self::day_models),
            _ => self.models(name, value),
        }
    }

    fn single(&mut self, name: &str, figure: Option<Figure>) -> Option<Section> {
        match figure {
            Some(figure) => Some(Section::from([(String::new(), figure)])),
            None => self.odd(format!("`{name}` is not what it should be")),
        }
    }

    fn longest(&mut self, value: &Value) -> Option<Section> {
        let Some(object) = value.as_object() else {
            return self.odd("`longestSession` is no object".into());
        };
        let mut section = Section::new();
        for key in ["sessionId", "duration", "messageCount", "timestamp"] {
            let Some(value) = object.get(key) else {
                continue;
            };
            let figure = match key {
                "sessionId" => value.as_str().map(|id| Figure::Name(id.to_owned())),
                "timestamp" => time(value),
                _ => count(value),
            };
            match figure {
                Some(figure) => section.extend([(key.to_owned(), figure)]),
                None => {
                    self.odd(format!("`longestSession.{key}` is not what it should be"));
                }
            }
        }
        Some(section)
    }

    /// Reads an object of counts.
    fn counts(&mut self, name: &str, value: &Value) -> Option<Section> {
        let Some(object) = value.as_object() else {
            return self.odd(format!("`{name}` is no object"));
        };
        let mut section = Section::new();
        for (key, value) in object {
            self.count(&mut section, key.clone(), value);
        }
        Some(section)
    }

    /// Reads a list of objects with a date each.
    fn days(
        &mut self,
        name: &str,
        value: &Value,
        read: fn(&mut Self, &mut Section, (&str, &Value)),
    ) -> Option<Section> {
        let Some(items) = value.as_array() else {
            return self.odd(format!("`{name}` is no list"));
        };
        let mut section = Section::new();
        for item in items {
            let date = item.get("date").and_then(Value::as_str);
            match date.and_then(|date| Some((date, day(date)?))) {
                None => {
                    self.odd(format!("an entry of `{name}` has no date"));
                }
                Some((_, day)) if self.last.is_some_and(|last| day > last) => {}
                Some((date, _)) => read(self, &mut section, (date, item)),
            }
        }
        Some(section)
    }

    fn day_counts(&mut self, section: &mut Section, (date, item): (&str, &Value)) {
        for key in DAY_KEYS {
            if let Some(value) = item.get(key) {
                self.count(section, format!("{date} {key}"), value);
            }
        }
    }

    fn day_models(&mut self, section: &mut Section, (date, item): (&str, &Value)) {
        let models = item.get("tokensByModel").and_then(Value::as_object);
        for (model, value) in models.into_iter().flatten() {
            self.count(section, format!("{date} {model}"), value);
        }
    }

    fn models(&mut self, name: &str, value: &Value) -> Option<Section> {
        let Some(object) = value.as_object() else {
            return self.odd(format!("`{name}` is no object"));
        };
        let mut section = Section::new();
        for (model, used) in object {
            for key in MODEL_KEYS {
                if let Some(value) = used.get(key) {
                    self.count(&mut section, format!("{model} {key}"), value);
                }
            }
        }
        Some(section)
    }

    fn count(&mut self, section: &mut Section, name: String, value: &Value) {
        match count(value) {
            Some(figure) => section.extend([(name, figure)]),
            None => {
                self.odd(format!("`{name}` is no count"));
            }
        }
    }

    fn odd(&mut self, finding: String) -> Option<Section> {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        }
        None
    }
}

/// Reads a date.
pub(super) fn day(text: &str) -> Option<Day> {
    let time = Timestamp::from_iso(text.as_bytes()).filter(|_| text.len() == 10)?;
    Some(Day::utc(time))
}

fn count(value: &Value) -> Option<Figure> {
    let whole =
        |number: f64| number.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&number);
    let float = || value.as_f64().filter(|number| whole(*number));
    let count = value
        .as_u64()
        .or_else(|| float().map(|number| number as u64));
    count.map(Figure::Count)
}

fn time(value: &Value) -> Option<Figure> {
    let text = value.as_str()?;
    Timestamp::from_iso(text.as_bytes()).map(|time| Figure::Time(time.0))
}
