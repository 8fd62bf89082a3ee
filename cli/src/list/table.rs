//! The members of a package as a table.

use std::io::{self, Write};

use resourcesync::{
    api::{Member, MemberResource, MemberState},
    report::{Lang, Verdict, columns, visible},
};

use resourcesync_client::package::OpenPackage;

/// Longer names shift the following cells instead of widening every line.
const WIDEST: usize = 60;

/// The labels of one language.
struct Words {
    head: [&'static str; 6],
    state: fn(MemberState) -> &'static str,
    missing: &'static str,
    unpackaged: &'static str,
    verdict: fn(Verdict) -> &'static str,
    summary: fn(members: usize, bytes: u64) -> String,
    findings: fn(errors: u64, warnings: u64) -> String,
}

const ENGLISH: Words = Words {
    head: ["STATE", "SIZE", "TYPE", "CHANGE", "NAME", "URI"],
    state: MemberState::as_str,
    missing: "missing",
    unpackaged: "unpackaged",
    verdict: |verdict| match verdict {
        Verdict::Valid => "VALID",
        Verdict::Invalid => "INVALID",
        Verdict::Undetermined => "UNDETERMINED",
    },
    summary: |members, bytes| format!("{}, {}", count(members as u64, "member"), count(bytes, "byte")),
    findings: |errors, warnings| format!("; {}, {}", count(errors, "error"), count(warnings, "warning")),
};

const JAPANESE: Words = Words {
    head: ["状態", "サイズ", "タイプ", "変更", "名前", "URI"],
    state: |state| match state {
        MemberState::Verified => "検証済み",
        MemberState::Sound => "破損なし",
        MemberState::Unchecked => "未検証",
        MemberState::Unlisted => "マニフェストになし",
        MemberState::Differs => "不一致",
        MemberState::Damaged => "破損",
        MemberState::Refused => "展開不可",
        other => other.as_str(),
    },
    missing: "パッケージになし",
    unpackaged: "ファイルなし",
    verdict: |verdict| match verdict {
        Verdict::Valid => "適合",
        Verdict::Invalid => "不適合",
        Verdict::Undetermined => "判定保留",
    },
    summary: |members, bytes| format!("メンバー {members} 件、{bytes} バイト"),
    findings: |errors, warnings| format!("、エラー {errors} 件、警告 {warnings} 件"),
};

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Writes a line for each member and each of its resources, then resources without a member, then a summary.
pub(super) fn write(package: &OpenPackage, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let words = match lang {
        Lang::En => &ENGLISH,
        Lang::Ja => &JAPANESE,
    };
    let rows = |take: &mut dyn FnMut([String; 6]) -> io::Result<()>| -> io::Result<()> {
        for member in package.contents.members() {
            member_rows(words, &member, take)?;
        }
        package.contents.absent().try_for_each(|resource| take(absent_row(words, resource)))
    };
    let head = words.head.map(str::to_owned);
    let mut widths = head.each_ref().map(|cell| columns(cell));
    rows(&mut |row| {
        for (width, cell) in widths.iter_mut().zip(&row) {
            *width = columns(cell).min(WIDEST).max(*width);
        }
        Ok(())
    })?;
    line(&head, &widths, out)?;
    rows(&mut |row| line(&row, &widths, out))?;
    let bytes = package.contents.members().map(|member| member.size).fold(0, u64::saturating_add);
    writeln!(
        out,
        "\n{}: {}{}",
        (words.verdict)(package.report.verdict),
        (words.summary)(package.contents.len(), bytes),
        (words.findings)(package.report.summary.errors, package.report.summary.warnings)
    )
}

fn member_rows(words: &Words, member: &Member, take: &mut dyn FnMut([String; 6]) -> io::Result<()>) -> io::Result<()> {
    let state = match &member.why {
        Some(why) => format!("{} ({})", (words.state)(member.state), visible(why)),
        // The manifest states nothing that it could be compared with.
        None if member.state == MemberState::Verified && !member.is_compared() => {
            format!("{} (crc-32)", (words.state)(member.state))
        }
        None => (words.state)(member.state).to_owned(),
    };
    let row = |resource: Option<&MemberResource>| {
        let [media_type, change, uri] = said(resource);
        [state.clone(), member.size.to_string(), media_type, change, visible(&member.name), uri]
    };
    if member.resources.is_empty() {
        return take(row(None));
    }
    member.resources.iter().try_for_each(|resource| take(row(Some(resource))))
}

fn absent_row(words: &Words, resource: &MemberResource) -> [String; 6] {
    let state = if resource.path.is_some() { words.missing } else { words.unpackaged };
    let [media_type, change, uri] = said(Some(resource));
    let name = resource.path.as_deref().map_or_else(nothing, visible);
    [state.to_owned(), nothing(), media_type, change, name, uri]
}

fn said(resource: Option<&MemberResource>) -> [String; 3] {
    let of = |text: Option<&String>| text.filter(|text| !text.is_empty()).map_or_else(nothing, |text| visible(text));
    let Some(resource) = resource else { return [nothing(), nothing(), nothing()] };
    [of(resource.media_type.as_ref()), of(resource.change.as_ref()), of(resource.uri.as_ref())]
}

fn nothing() -> String {
    "-".to_owned()
}

/// Sizes are right-aligned; the last cell is not padded.
fn line(cells: &[String; 6], widths: &[usize; 6], out: &mut dyn Write) -> io::Result<()> {
    let [state, size, media_type, change, name, uri] = cells;
    let fill = |text: &str, width: usize| " ".repeat(width.saturating_sub(columns(text)));
    let [for_state, for_size, for_type, for_change, for_name, _] = *widths;
    writeln!(
        out,
        "{state}{}  {}{size}  {media_type}{}  {change}{}  {name}{}  {uri}",
        fill(state, for_state),
        fill(size, for_size),
        fill(media_type, for_type),
        fill(change, for_change),
        fill(name, for_name),
    )
}
