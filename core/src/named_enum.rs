//! Enums whose variants have a name, which data, options and messages contain.

/// Declares an enum with the name of each variant, a list of all variants, and the search by name.
///
/// ```
/// resourcesync::named_enum! {
///     /// A direction.
///     #[derive(Debug, Clone, Copy, PartialEq)]
///     pub enum Direction {
///         /// To the end.
///         Forward = "forward",
///         /// To the beginning.
///         Backward = "backward",
///     }
/// }
/// assert_eq!(Direction::Forward.as_str(), "forward");
/// assert_eq!(Direction::find("backward"), Some(Direction::Backward));
/// ```
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $type:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $type { $($(#[$variant_attribute])* $variant,)* }

        impl $type {
            /// All of them.
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$variant),*];

            /// Its name.
            pub const fn as_str(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }

            /// The one with this name.
            pub fn find(name: &str) -> Option<$type> {
                match name { $($name => Some($type::$variant),)* _ => None }
            }
        }
    };
}
