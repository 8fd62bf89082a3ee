//! `userinfo-in-uri`

use crate::rules::rule;

rule! {
    "userinfo-in-uri" reports [ADV_07]
    checks []
    message "userinfo-in-uri"
    help "userinfo-in-uri"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
