//! Rules about the limits of a harvest.

use super::rule::rule;

rule! {
    LIM_40 "LIM-40" "oai-page-limit", Beyond stated Warning, ""
    message "a page is larger than {limit} bytes (limit oai_page_bytes)"
    help "raise the limit with --limit oai_page_bytes=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of bytes of a page (limit oai_page_bytes)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "ページが {limit} バイトを超えている（上限 oai_page_bytes）"
        help "信頼できるリポジトリであれば --limit oai_page_bytes=VALUE で上限を引き上げてください"
        what "収集ではページのバイト数に上限があります（上限 oai_page_bytes）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_41 "LIM-41" "oai-record-limit", Beyond stated Warning, ""
    message "a record is larger than the limit (limit oai_record_bytes)"
    help "raise the limit with --limit oai_record_bytes=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of bytes of a record (limit oai_record_bytes)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "レコードが上限を超えている（上限 oai_record_bytes）"
        help "信頼できるリポジトリであれば --limit oai_record_bytes=VALUE で上限を引き上げてください"
        what "収集ではレコードのバイト数に上限があります（上限 oai_record_bytes）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_42 "LIM-42" "oai-depth-limit", Beyond stated Warning, ""
    message "metadata is nested deeper than the limit (limit oai_metadata_depth)"
    help "raise the limit with --limit oai_metadata_depth=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of open elements inside metadata (limit oai_metadata_depth)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "メタデータの階層が上限より深い（上限 oai_metadata_depth）"
        help "信頼できるリポジトリであれば --limit oai_metadata_depth=VALUE で上限を引き上げてください"
        what "収集ではメタデータの階層の深さに上限があります（上限 oai_metadata_depth）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_43 "LIM-43" "oai-header-limit", Beyond stated Warning, ""
    message "a value of a header is longer than the limit (limit oai_header_values)"
    help "raise the limit with --limit oai_header_values=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of bytes of a value of a header (limit oai_header_values)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "ヘッダの値が上限より長い（上限 oai_header_values）"
        help "信頼できるリポジトリであれば --limit oai_header_values=VALUE で上限を引き上げてください"
        what "収集ではヘッダの値のバイト数に上限があります（上限 oai_header_values）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_44 "LIM-44" "oai-sets-limit", Beyond stated Warning, ""
    message "a record is in more sets than the limit (limit oai_sets_per_record)"
    help "raise the limit with --limit oai_sets_per_record=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of sets of a record (limit oai_sets_per_record)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "レコードのセット数が上限を超えている（上限 oai_sets_per_record）"
        help "信頼できるリポジトリであれば --limit oai_sets_per_record=VALUE で上限を引き上げてください"
        what "収集ではレコードのセット数に上限があります（上限 oai_sets_per_record）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_45 "LIM-45" "oai-about-limit", Beyond stated Warning, ""
    message "a record has more `about` containers than the limit (limit oai_about)"
    help "raise the limit with --limit oai_about=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of `about` containers of a record (limit oai_about)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "レコードの `about` の数が上限を超えている（上限 oai_about）"
        help "信頼できるリポジトリであれば --limit oai_about=VALUE で上限を引き上げてください"
        what "収集ではレコードの `about` の数に上限があります（上限 oai_about）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_46 "LIM-46" "oai-token-limit", Beyond stated Warning, ""
    message "a `resumptionToken` is longer than {limit} bytes (limit oai_token_bytes)"
    help "raise the limit with --limit oai_token_bytes=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of bytes of a `resumptionToken` (limit oai_token_bytes)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "`resumptionToken` が {limit} バイトより長い（上限 oai_token_bytes）"
        help "信頼できるリポジトリであれば --limit oai_token_bytes=VALUE で上限を引き上げてください"
        what "収集では `resumptionToken` のバイト数に上限があります（上限 oai_token_bytes）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_47 "LIM-47" "oai-pages-limit", Beyond stated Warning, ""
    message "a list has more than {limit} pages (limit oai_pages)"
    help "raise the limit with --limit oai_pages=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of pages of a list (limit oai_pages)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "リストが {limit} ページを超えている（上限 oai_pages）"
        help "信頼できるリポジトリであれば --limit oai_pages=VALUE で上限を引き上げてください"
        what "収集ではリストのページ数に上限があります（上限 oai_pages）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_48 "LIM-48" "oai-constant-token-limit", Beyond stated Warning, ""
    message "more than {limit} pages in a row with one token (limit oai_constant_token_pages)"
    help "raise the limit with --limit oai_constant_token_pages=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of pages in a row with one token (limit oai_constant_token_pages)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "同じトークンのページが {limit} ページを超えて続いた（上限 oai_constant_token_pages）"
        help "信頼できるリポジトリであれば --limit oai_constant_token_pages=VALUE で上限を引き上げてください"
        what "収集では同じトークンが続くページ数に上限があります（上限 oai_constant_token_pages）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_49 "LIM-49" "oai-tries-limit", Beyond stated Warning, ""
    message "more than {limit} requests had to be repeated (limit oai_tries)"
    help "raise the limit with --limit oai_tries=VALUE, if the repository is trusted"
    en {
        what "A run limits the number of repeated requests, of all its lists together (limit oai_tries)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "再要求が {limit} 回を超えた（上限 oai_tries）"
        help "信頼できるリポジトリであれば --limit oai_tries=VALUE で上限を引き上げてください"
        what "1 回の収集では、すべてのリストを合わせた再要求の回数に上限があります（上限 oai_tries）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}

rule! {
    LIM_50 "LIM-50" "oai-quarantine-limit", Beyond stated Warning, ""
    message "more than {limit} bytes of damaged records (limit oai_quarantine_bytes)"
    help "raise the limit with --limit oai_quarantine_bytes=VALUE, if the repository is trusted"
    en {
        what "A harvest limits the number of bytes of damaged records (limit oai_quarantine_bytes)."
        why "Without a limit a repository, or a server that impersonates it, could exhaust memory or disk, or keep a \
            harvest from ending."
        fix "Check whether the repository intends this, then raise the limit."
    }
    ja {
        message "破損したレコードが {limit} バイトを超えた（上限 oai_quarantine_bytes）"
        help "信頼できるリポジトリであれば --limit oai_quarantine_bytes=VALUE で上限を引き上げてください"
        what "収集では破損したレコードのバイト数に上限があります（上限 oai_quarantine_bytes）。"
        why "上限がないと、リポジトリまたはそれを装うサーバが、メモリやディスクを使い尽くしたり、収集を終わらせなかったりするおそれがあります。"
        fix "リポジトリの意図した動作かどうかを確かめてから、上限を引き上げます。"
    }
}
