//! `datetime-outside-interval`

use crate::rules::rule;

rule! {
    "datetime-outside-interval" reports [AT_24]
    checks []
    message "datetime-outside-interval"
    help "datetime-outside-interval"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
