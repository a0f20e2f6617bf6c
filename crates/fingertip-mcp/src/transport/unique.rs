//! Finds a key that stands twice in one object of a message.
//!
//! JSON leaves open what that means, and readers differ: most take the last, some the first. A call that says one
//! thing to the check and another to the run is refused. Keys are compared as they read, so an escape
//! does not make another key. Nothing is kept but the keys of the objects that are open.
//!
//! Non-goal: judging the JSON. What cannot be read here, or is nested too deeply, is reported by who reads it next.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

/// Up to this many keys are compared one by one; more are hashed, so that a flood of keys costs no more than its length.
const FEW_KEYS: usize = 16;

/// The first key that stands twice in one object, at any depth.
pub(crate) fn repeated_key(json: &str) -> Option<String> {
    let found = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(json);
    // An error without a find is one of the JSON itself.
    let _ = Seed(&found).deserialize(&mut reader);
    found.into_inner()
}

#[derive(Clone, Copy)]
struct Seed<'f>(&'f RefCell<Option<String>>);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut keys = Keys::default();
        while let Some(Key(key)) = fields.next_key_seed(KeySeed)? {
            if let Some(twice) = keys.add(key) {
                *self.0.borrow_mut() = Some(twice);
                return Err(A::Error::custom("a key stands twice"));
            }
            fields.next_value_seed(self)?;
        }
        Ok(())
    }
}

/// A key, borrowed from the message unless it holds an escape.
struct Key<'de>(Cow<'de, str>);

struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key<'de>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Key<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for KeySeed {
    type Value = Key<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(key.to_owned())))
    }
}

/// The keys of one object so far.
#[derive(Default)]
struct Keys<'de> {
    few: Vec<Cow<'de, str>>,
    many: HashSet<Cow<'de, str>>,
}

impl<'de> Keys<'de> {
    /// The key itself if it is there already.
    fn add(&mut self, key: Cow<'de, str>) -> Option<String> {
        if self.few.contains(&key) || self.many.contains(&key) {
            return Some(key.into_owned());
        }
        if self.few.len() < FEW_KEYS {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_found_at_any_depth() {
        for (json, key) in [
            (r#"{"a":1,"a":1}"#, "a"),
            (r#"{"a":{"x":1,"y":2,"x":3}}"#, "x"),
            (r#"{"paths":[[{"x":1,"y":2},{"x":1,"y":2,"y":3}]]}"#, "y"),
            (r#"{"\u0061b":1,"ab":2}"#, "ab"),
            (r#"{"":null,"":null}"#, ""),
        ] {
            assert_eq!(repeated_key(json).as_deref(), Some(key), "{json}");
        }
        let many: Vec<String> = (0..1000).map(|number| format!(r#""k{number}":0"#)).collect();
        assert_eq!(repeated_key(&format!("{{{}}}", many.join(","))), None);
        assert_eq!(repeated_key(&format!(r#"{{{},"k999":1}}"#, many.join(","))).as_deref(), Some("k999"));
    }

    #[test]
    fn the_same_key_in_several_objects_is_fine() {
        let json = r#"{"a":{"a":[{"a":1},{"a":-1.5e3}]},"b":"a","c":[true,null,"é\n"]}"#;
        assert_eq!(repeated_key(json), None);
    }

    #[test]
    fn broken_and_bottomless_json_is_left_to_others() {
        for json in ["", "{", r#"{"a":"#, r#"{"a":1,}"#, &"[".repeat(1_000_000), &r#"{"a":"#.repeat(100_000)]
        {
            assert_eq!(repeated_key(json), None);
        }
    }
}
