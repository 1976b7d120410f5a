//! Enumerations that the store keeps by their names.

/// Defines an enumeration whose values are stored by their names.
macro_rules! stored {
    ($(#[$of:meta])* $name:ident { $($(#[$each:meta])* $value:ident: $text:literal,)* }) => {
        $(#[$of])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$each])* #[serde(rename = $text)] $value,)* }

        impl $name {
            /// Returns the name in the store and in JSON.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$value => $text,)* }
            }

            /// Parses a name.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$value),)* _ => None }
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let text = value.as_str()?;
                let unknown = || rusqlite::types::FromSqlError::Other(format!("unknown value `{text}`").into());
                Self::parse(text).ok_or_else(unknown)
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.name().into())
            }
        }
    };
}
pub(crate) use stored;
