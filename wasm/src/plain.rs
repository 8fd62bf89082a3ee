//! Plain objects on their way in: unknown names are refused.

use js_sys::{Array, Number, Object, Reflect};
use resourcesync::{
    api::plain::{Attribute, Entry, Link},
    value::Datetime,
};
use serde::{
    Deserialize, Deserializer,
    de::{self, Visitor},
    forward_to_deserialize_any,
};
use wasm_bindgen::{JsCast, JsValue};

use crate::fail::{first_line, wrong};

/// The maximum depth of values: an attribute of a link of an entry of a list.
pub(crate) const DEEPEST: u32 = 8;

/// The same value with a function applied to every leaf, and without `undefined`.
pub(crate) fn mapped(value: &JsValue, leaf: &impl Fn(&JsValue) -> JsValue, depth: u32) -> JsValue {
    let Some(depth) = depth.checked_sub(1) else { return value.clone() };
    if let Some(list) = value.dyn_ref::<Array>() {
        return list.iter().map(|one| mapped(&one, leaf, depth)).collect::<Array>().into();
    }
    let Some(object) = value.dyn_ref::<Object>() else { return leaf(value) };
    let copy = Object::new();
    for pair in Object::entries(object).iter() {
        let pair = Array::from(&pair);
        if !pair.get(1).is_undefined() {
            // Setting a property of a new object cannot fail.
            let _ = Reflect::set(&copy, &pair.get(0), &mapped(&pair.get(1), leaf, depth));
        }
    }
    copy.into()
}

#[cfg(feature = "whole")]
pub(crate) fn head(given: &JsValue) -> Result<resourcesync::api::plain::Head, String> {
    let parts = [("links", LINK), ("attributes", ATTRIBUTE), ("rootAttributes", ATTRIBUTE)];
    take(given, "the head", fields::<resourcesync::api::plain::Head>(), &parts)
}

pub(crate) fn entry(given: &JsValue) -> Result<Entry, String> {
    take(given, "the entry", fields::<Entry>(), &[("links", LINK), ("attributes", ATTRIBUTE)])
}

pub(crate) fn moment(text: &str) -> Result<Datetime, JsValue> {
    text.parse().map_err(|_| wrong(&format!("`{text}` is not a datetime such as 2024-05-01T00:00:00Z")))
}

/// The items of a list, and their allowed names.
type Part = (&'static str, (&'static str, fn() -> &'static [&'static str]));

const LINK: (&str, fn() -> &'static [&'static str]) = ("the link", fields::<Link>);
const ATTRIBUTE: (&str, fn() -> &'static [&'static str]) = ("the attribute", fields::<Attribute>);

fn take<T: for<'de> Deserialize<'de>>(
    given: &JsValue,
    what: &str,
    names: &[&str],
    parts: &[Part],
) -> Result<T, String> {
    known(given, what, names)?;
    for (name, (what, names)) in parts {
        let list = Reflect::get(given, &(*name).into()).unwrap_or_default();
        for part in list.dyn_ref::<Array>().into_iter().flat_map(Array::iter) {
            known(&part, what, names())?;
            if let Ok(own) = Reflect::get(&part, &"attributes".into())
                && let Some(list) = own.dyn_ref::<Array>()
            {
                list.iter().try_for_each(|attribute| known(&attribute, ATTRIBUTE.0, ATTRIBUTE.1()))?;
            }
        }
    }
    let own = serde_wasm_bindgen::from_value(given.clone());
    // `undefined` means absent; a copy without it is only made if necessary.
    own.or_else(|_| serde_wasm_bindgen::from_value(mapped(given, &JsValue::clone, DEEPEST)))
        .map_err(|error| mistyped(given, what).unwrap_or_else(|| format!("{what}: {}", first_line(&error.to_string()))))
}

/// The first field whose value is not of its type, and the type.
fn mistyped(given: &JsValue, what: &str) -> Option<String> {
    let parts = |value: &JsValue, what: &str| {
        let list = value.dyn_ref::<Array>()?;
        list.iter().find_map(|part| mistyped(&part, what))
    };
    Object::entries(given.dyn_ref::<Object>()?).iter().find_map(|pair| {
        let pair = Array::from(&pair);
        let (name, value) = (pair.get(0).as_string()?, pair.get(1));
        let is_list = Array::is_array(&value);
        let expected = match name.as_str() {
            _ if value.is_undefined() => return None,
            "links" if is_list => return parts(&value, LINK.0),
            "attributes" | "rootAttributes" if is_list => return parts(&value, ATTRIBUTE.0),
            "links" | "attributes" | "rootAttributes" | "elements" => (!is_list).then_some("a list")?,
            "hashes" => (is_list || !value.is_object()).then_some("an object of digests by algorithm")?,
            "length" | "pri" => (!is_count(&value)).then_some("a whole number, above 2^53 a bigint")?,
            _ => (!value.is_string()).then_some("text")?,
        };
        Some(format!("{what}: `{name}` has to be {expected}; it is {}", shown(&value)))
    })
}

fn is_count(value: &JsValue) -> bool {
    match value.as_f64() {
        Some(number) => Number::is_safe_integer(value) && number >= 0.0,
        None => value.is_bigint() && u64::try_from(value.clone()).is_ok(),
    }
}

/// A value in a message.
fn shown(value: &JsValue) -> String {
    if let Some(text) = value.as_string() {
        return format!("the text `{}`", text.chars().take(40).collect::<String>());
    }
    if let Some(number) = value.as_f64() {
        return format!("the number {number}");
    }
    let kind = || value.js_typeof().as_string().unwrap_or_default();
    match value.dyn_ref::<Object>() {
        Some(object) if value.is_object() => format!("an object ({})", String::from(object.constructor().name())),
        _ if value.is_null() => "null".to_owned(),
        _ => format!("of type {}", kind()),
    }
}

fn known(given: &JsValue, what: &str, names: &[&str]) -> Result<(), String> {
    let Some(object) = given.dyn_ref::<Object>() else { return Err(format!("{what} has to be an object")) };
    let unknown = |name: &String| !names.contains(&name.as_str());
    match Object::keys(object).iter().filter_map(|name| name.as_string()).find(unknown) {
        Some(name) => Err(format!("{what} has nothing called `{name}`; there are {}", names.join(", "))),
        None => Ok(()),
    }
}

/// The names of the fields of a struct.
fn fields<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    T::deserialize(Names).err().map_or(&[], |Found(names)| names)
}

/// A deserializer that only collects the requested field names.
struct Names;

/// The requested names.
#[derive(Debug)]
struct Found(&'static [&'static str]);

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("names of fields")
    }
}

impl std::error::Error for Found {}

impl de::Error for Found {
    fn custom<T: std::fmt::Display>(_: T) -> Found {
        Found(&[])
    }
}

impl<'de> Deserializer<'de> for Names {
    type Error = Found;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Found> {
        Err(Found(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Found> {
        Err(Found(fields))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
