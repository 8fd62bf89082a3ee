//! `href-not-uri`

use crate::rules::rule;

rule! {
    "href-not-uri" reports [LK_03]
    checks []
    message "href-not-uri"
    help "href-not-uri"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
