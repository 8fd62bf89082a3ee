//! `index-as-urlset`

use crate::rules::rule;

rule! {
    "index-as-urlset" reports [ADV_09]
    checks []
    message "index-as-urlset"
    help "index-as-urlset"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
