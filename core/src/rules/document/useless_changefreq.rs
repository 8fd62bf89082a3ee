//! `useless-changefreq`

use crate::rules::rule;

rule! {
    "useless-changefreq" reports [GEN_17]
    checks []
    message "useless-changefreq"
    help "useless-changefreq"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
