//! Dates of HTTP headers (RFC 9110 §5.6.7), in the one form that may still be sent.

use crate::value::Datetime;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970; `None` for anything else.
pub(crate) fn http_date(text: &str) -> Option<i64> {
    let (_, date) = text.trim_ascii().split_once(", ")?;
    let mut words = date.strip_suffix(" GMT")?.split(' ');
    let day = words.next()?.parse().ok()?;
    let name = words.next()?;
    let month = (1_u8..).zip(MONTHS).find(|(_, own)| *own == name)?.0;
    let year = words.next()?.parse().ok()?;
    let mut clock = words.next()?.split(':').map(|part| part.parse().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    Some(Datetime::utc(year, month, day, hour, minute, second)?.to_unix().0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_one_form_is_read() {
        assert_eq!(http_date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        for other in ["", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 31 Feb 1994 08:49:37 GMT"]
        {
            assert_eq!(http_date(other), None, "{other}");
        }
    }
}
