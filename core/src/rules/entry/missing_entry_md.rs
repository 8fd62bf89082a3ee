//! `missing-entry-md`

use crate::rules::rule;

rule! {
    "missing-entry-md" reports [RDM_09, CL_09, CDM_09]
    checks []
    message "missing-entry-md"
    help "missing-entry-md"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
