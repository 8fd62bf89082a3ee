//! `path-outside-manifest`

use crate::rules::rule;

rule! {
    "path-outside-manifest" reports [AT_15]
    checks []
    message "path-outside-manifest"
    help "path-outside-manifest"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
