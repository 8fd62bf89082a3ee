//! `unsafe-path`

use crate::rules::rule;

rule! {
    "unsafe-path" reports [AT_17]
    checks []
    message "unsafe-path"
    help "unsafe-path"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
