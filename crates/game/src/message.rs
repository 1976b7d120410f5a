//! Messages to users that clients can translate.

use core::fmt;
use std::collections::BTreeMap;

/// A message to users: its English text, and the code and arguments from which a client writes it in another language.
///
/// [`message!`](crate::message!) creates one. A [name](Self::name) is a message, too, and is its own code.
///
/// ```
/// use game::{Message, message};
///
/// let square = "c4";
/// let message = message!("loa.line", "the piece on {square} belongs to {owner}", square, owner = Message::name("Black"));
/// assert_eq!(message.to_string(), "the piece on c4 belongs to Black");
/// assert_eq!(message.code, "loa.line");
/// assert_eq!(message.args["square"], game::Argument::Text("c4".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Code, such as `loa.blocked`.
    pub code: &'static str,
    /// Arguments by name.
    pub args: BTreeMap<&'static str, Argument>,
    /// English text.
    pub text: String,
}

/// An argument of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum Argument {
    /// A text that is the same in every language: a number, a square, a text that the user wrote.
    Text(String),
    /// A message, which is translated.
    Message(Message),
}

/// An error that has a [`Message`].
pub trait Explain {
    /// Returns the message.
    fn message(&self) -> Message;
}

impl Message {
    /// Creates a message without arguments.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, args: BTreeMap::new(), text: text.into() }
    }

    /// Creates a name or another fixed text. It is its own code.
    pub fn name(text: &'static str) -> Self {
        Self::new(text, text)
    }

    /// Adds an argument, which the English text already contains.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &(impl ToArgument + ?Sized)) -> Self {
        self.args.insert(name, value.to_argument());
        self
    }
}

/// Writes the fields. Omits the arguments if there are none, and the text if it equals the code, as in a name.
#[cfg(feature = "serde")]
impl serde::Serialize for Message {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;

        let mut fields = to.serialize_map(None)?;
        fields.serialize_entry("code", self.code)?;
        if !self.args.is_empty() {
            fields.serialize_entry("args", &self.args)?;
        }
        if self.text != self.code {
            fields.serialize_entry("text", &self.text)?;
        }
        fields.end()
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl core::error::Error for Message {}

impl Explain for Message {
    fn message(&self) -> Self {
        self.clone()
    }
}

/// A value that can be an argument of a message.
pub trait ToArgument {
    /// Converts the value.
    fn to_argument(&self) -> Argument;
}

impl ToArgument for Message {
    fn to_argument(&self) -> Argument {
        Argument::Message(self.clone())
    }
}

impl<T: ToArgument + ?Sized> ToArgument for &T {
    fn to_argument(&self) -> Argument {
        (**self).to_argument()
    }
}

macro_rules! text_arguments {
    ($($type:ty),+) => {$(
        impl ToArgument for $type {
            fn to_argument(&self) -> Argument {
                Argument::Text(self.to_string())
            }
        }
    )+};
}

text_arguments!(str, String, u8, u32, u64, usize, f64);

/// Returns the ending of an English plural.
pub fn plural<N: Copy + PartialEq + From<u8>>(count: N) -> &'static str {
    if count == N::from(1) { "" } else { "s" }
}

/// Creates a [`Message`] from a code, an English text with named placeholders, and the arguments.
///
/// `name = value` passes a value, `name` alone the variable of this name. A name after a semicolon occurs in the
/// English text only: `s = plural(count)`. Other languages form the plural from the argument `count`.
#[macro_export]
macro_rules! message {
    ($code:literal, $text:literal $(, $name:ident $(= $value:expr)?)* $(; $extra:ident = $word:expr)? $(,)?) => {{
        $($(let $name = $value;)?)*
        $(let $extra = $word;)?
        $crate::Message::new($code, ::std::format!($text))$(.with(stringify!($name), &$name))*
    }};
}
