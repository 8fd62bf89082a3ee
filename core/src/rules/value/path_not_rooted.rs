//! `path-not-rooted`

use crate::rules::rule;

rule! {
    "path-not-rooted" reports [AT_16]
    checks []
    message "path-not-rooted"
    help "path-not-rooted"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
