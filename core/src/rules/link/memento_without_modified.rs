//! `memento-without-modified`

use crate::rules::rule;

rule! {
    "memento-without-modified" reports [LK_26]
    checks []
    message "memento-without-modified"
    help "memento-without-modified"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
