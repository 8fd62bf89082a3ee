//! `entry-interval`

use crate::rules::rule;

rule! {
    "entry-interval" reports [RLI_11, RD_13, RDI_10]
    checks []
    message "entry-interval"
    help "entry-interval"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
