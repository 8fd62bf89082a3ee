//! `unknown-changefreq`

use crate::rules::rule;

rule! {
    "unknown-changefreq" reports [AT_34]
    checks []
    message "unknown-changefreq"
    help "unknown-changefreq"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
