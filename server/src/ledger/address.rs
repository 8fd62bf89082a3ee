//! Where a store is: the path of a file, or the URL of a database.

use std::{fmt, path::PathBuf, str::FromStr};

#[cfg(feature = "postgres")]
use super::postgres::Target;

/// Where a store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// The path of a SQLite file.
    Sqlite(PathBuf),
    /// The URL of a PostgreSQL database, without a password.
    Postgres(String),
}

impl FromStr for StoreAddress {
    type Err = String;

    /// Messages do not contain the text, which could have a password.
    fn from_str(text: &str) -> Result<StoreAddress, String> {
        match text.split_once("://") {
            None if text.is_empty() => Err("the store has no name".to_owned()),
            None => Ok(StoreAddress::Sqlite(text.into())),
            Some(("postgres" | "postgresql", _)) => postgres(text),
            Some((scheme, _)) => Err(format!(
                "`{scheme}://` is not supported; a store is the path of a SQLite file, or postgres://HOST/DATABASE"
            )),
        }
    }
}

#[cfg(feature = "postgres")]
fn postgres(text: &str) -> Result<StoreAddress, String> {
    let Ok(target) = Target::of(text) else {
        return Err("the URL of the database is malformed; expected postgres://USER@HOST:PORT/DATABASE?sslmode=MODE, \
             where the mode is disable, require or verify-full"
            .to_owned());
    };
    if target.config.get_password().is_some() {
        return Err("the URL of the database contains a password; pass it in PGPASSFILE or PGPASSWORD".to_owned());
    }
    Ok(StoreAddress::Postgres(text.to_owned()))
}

#[cfg(not(feature = "postgres"))]
fn postgres(_: &str) -> Result<StoreAddress, String> {
    Err("this program was built without the feature `postgres`".to_owned())
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAddress::Sqlite(path) => path.display().fmt(f),
            StoreAddress::Postgres(url) => f.write_str(url),
        }
    }
}

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_neither_accepted_nor_repeated() {
        for text in
            ["postgres://me:s3cret@db.example/hub", "postgres://db.example/hub?password=s3cret", "postgres://:s3cret"]
        {
            let problem = text.parse::<StoreAddress>().unwrap_err();
            assert!(!problem.contains("s3cret"), "{problem}");
        }
        assert!(matches!("postgresql://me@db.example/hub".parse(), Ok(StoreAddress::Postgres(_))));
        assert!(matches!("hub.sqlite".parse(), Ok(StoreAddress::Sqlite(_))));
        assert!("mysql://db.example/hub".parse::<StoreAddress>().is_err());
    }
}
