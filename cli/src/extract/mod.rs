//! `resourcesync extract`: extracts the verified members of a package, all or none.

mod pattern;

use std::{
    collections::BTreeSet,
    io::{self, Read, Write},
};

use resourcesync::{
    api::{Contents, MemberKind, MemberState},
    diagnostic::{Reason, Severity},
    report::{Format, Lang, Render, Report, Verdict, render, visible},
};
use resourcesync_client::{
    Cancel, Meter,
    folder::{self, Existing, StagedFolder},
    package::{OpenPackage, UnpackError},
    reason,
};
use serde_json::json;

use crate::{
    arguments::{Extract, Plain},
    error::{CliError, report_error, warn},
    interrupt::Interrupt,
    list, outputs, status,
    words::counted,
};

/// Maximum names in a message.
const SHOWN: usize = 5;

/// A member to extract.
struct Chosen {
    index: u32,
    name: String,
    size: u64,
}

/// Runs it.
pub(crate) fn run(arguments: &Extract) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let options = list::options(&arguments.common);
    let package = list::open(&arguments.package, &options, &arguments.common, interrupt.cancel())?;
    if package.report.verdict != Verdict::Valid {
        return refused(&package.report, arguments);
    }
    let lang = arguments.common.printing.terminal.language.for_people();
    let chosen = choose(&package.contents, &arguments.uri, lang)?;
    check(&package.contents, &chosen)?;
    fits(&package.contents, &chosen)?;
    let there = look(arguments, &package, &chosen, interrupt.cancel())?;
    let new: Vec<&Chosen> = chosen.iter().filter(|own| !there.contains(&own.index)).collect();
    let bytes = new.iter().map(|own| own.size).fold(0, u64::saturating_add);
    let json = |result: &str| {
        let files: Vec<_> = new.iter().map(|own| json!({ "name": own.name, "size": own.size })).collect();
        let (folder, there) = (arguments.folder.display().to_string(), there.len());
        outputs::json(&json!({ "result": result, "folder": folder, "bytes": bytes, "files": files, "there": there }))
    };
    if arguments.dry_run {
        return outputs::print(&match arguments.format {
            Plain::Text => listed(&new),
            Plain::Json => json("dry-run")?,
        });
    }
    match write(arguments, &package, &new, interrupt.cancel()) {
        Ok(folder) => match arguments.format {
            Plain::Json => outputs::print(&json("written")?),
            Plain::Text if arguments.common.printing.terminal.quiet => Ok(status::VALID),
            Plain::Text => outputs::print(&said(new.len(), bytes, there.len(), &folder, lang)),
        },
        Err(status) => Ok(status),
    }
}

/// Reports that the package is not valid, so that nothing was written.
fn refused(report: &Report, arguments: &Extract) -> Result<i32, CliError> {
    let lang = arguments.common.printing.terminal.language.for_people();
    let format = match arguments.format {
        Plain::Text => Format::Text,
        Plain::Json => Format::Json,
    };
    outputs::print(&render(report, format, &Render { lang, color: false, ..Render::default() }))?;
    report_error(match (report.verdict, lang) {
        (Verdict::Invalid, Lang::En) => "nothing was written: the package is not valid",
        (Verdict::Invalid, Lang::Ja) => "何も書き込まれていません: パッケージが不適合です",
        (_, Lang::En) => "nothing was written: the package could not be checked to the end",
        (_, Lang::Ja) => "何も書き込まれていません: パッケージを最後まで検証できませんでした",
    });
    Ok(status::of(report, Severity::Error))
}

/// The verified and selected members, in the order of the archive.
fn choose(contents: &Contents, patterns: &[String], lang: Lang) -> Result<Vec<Chosen>, CliError> {
    let mut used = vec![false; patterns.len()];
    let (mut chosen, mut unlisted, mut uncompared) = (Vec::new(), Vec::new(), Vec::new());
    for member in contents.members() {
        let mut is_wanted = patterns.is_empty();
        for (pattern, used) in patterns.iter().zip(&mut used) {
            let fits = |uri: &String| pattern::fits(pattern, uri);
            if member.resources.iter().any(|resource| resource.uri.as_ref().is_some_and(fits)) {
                (is_wanted, *used) = (true, true);
            }
        }
        let is_whole = member.state == MemberState::Verified
            || member.kind == MemberKind::Manifest && member.state == MemberState::Sound && patterns.is_empty();
        if is_wanted && member.state == MemberState::Verified && !member.is_compared() {
            uncompared.push(member.name.clone());
        }
        match member.state {
            _ if !is_wanted => {}
            MemberState::Unlisted => unlisted.push(member.name),
            _ if is_whole => chosen.push(Chosen { index: member.index, name: member.name, size: member.size }),
            _ => {}
        }
    }
    if let Some((pattern, _)) = patterns.iter().zip(used).find(|(_, used)| !used) {
        return Err(format!("no resource in the package matches `{pattern}`; nothing was written").into());
    }
    if !unlisted.is_empty() {
        let names = names(unlisted, lang);
        let words = match lang {
            Lang::En => format!("skipped because the manifest does not list them: {names}"),
            Lang::Ja => format!("マニフェストに記載がないため展開しませんでした: {names}"),
        };
        warn(&words, lang);
    }
    if !uncompared.is_empty() {
        let names = names(uncompared, lang);
        let words = match lang {
            Lang::En => {
                format!("compared with no length or digest, since the manifest states none that is known: {names}")
            }
            Lang::Ja => format!("マニフェストに長さも既知のダイジェストもないため照合していません: {names}"),
        };
        warn(&words, lang);
    }
    Ok(chosen)
}

/// Rejects members that would unpack to more than the limits allow.
fn fits(contents: &Contents, chosen: &[Chosen]) -> Result<(), CliError> {
    let indexes: Vec<u32> = chosen.iter().map(|own| own.index).collect();
    let Some((index, reason)) = contents.exceeding(&indexes) else { return Ok(()) };
    let name = chosen.iter().find(|own| own.index == index).map_or("", |own| own.name.as_str());
    let limit = reason.args.get("limit").map_or("", String::as_str);
    Err(format!(
        "nothing was written: `{name}`: {reason}; for a package that you trust, raise it with --limit {limit}=N"
    )
    .into())
}

/// Rejects names that collide on file systems of some platform, are not possible on this one, or are those of private files.
fn check(contents: &Contents, chosen: &[Chosen]) -> Result<(), CliError> {
    let reserved: Vec<String> =
        chosen.iter().filter(|own| folder::is_reserved(&own.name)).map(|own| own.name.clone()).collect();
    if !reserved.is_empty() {
        let names = names(reserved, Lang::En);
        let words = "nothing was written: these names are reserved for files of this command";
        return Err(format!("{words}: {names}; select others with --uri").into());
    }
    let indexes: Vec<u32> = chosen.iter().map(|own| own.index).collect();
    if let Some((one, other)) = contents.colliding(&indexes) {
        let name = |index| contents.member(index).map(|member| member.name).unwrap_or_default();
        let words = "collide on case-insensitive or Unicode-normalizing file systems; select one of them with --uri";
        return Err(format!("`{}` and `{}` {words}; nothing was written", name(one), name(other)).into());
    }
    let impossible: Vec<String> = chosen
        .iter()
        .filter(|own| cfg!(windows) && is_impossible_on_windows(&own.name))
        .map(|own| own.name.clone())
        .collect();
    if impossible.is_empty() {
        return Ok(());
    }
    Err(format!("nothing was written: these names are not allowed on Windows: {}", names(impossible, Lang::En)).into())
}

/// Characters with a special meaning on Windows. Its other reserved characters make a package invalid
/// everywhere.
fn is_impossible_on_windows(name: &str) -> bool {
    name.contains(['<', '>', ':', '"', '|', '?', '*'])
}

/// Rejects existing files in the way, before anything is written. Those that have the bytes of their members are not: a killed run may have
/// left them. Their indexes are returned.
fn look(
    arguments: &Extract,
    package: &OpenPackage,
    chosen: &[Chosen],
    cancel: &Cancel,
) -> Result<BTreeSet<u32>, CliError> {
    let folder = visible(&arguments.folder.to_string_lossy());
    let mut there = BTreeSet::new();
    let Some(root) = folder::open_folder(&arguments.folder)
        .map_err(|error| format!("{folder} cannot be opened: {}", reason(&error)))?
    else {
        return Ok(there);
    };
    let mut in_way = Vec::new();
    for own in chosen {
        if folder::is_same_file(&arguments.package, &arguments.folder.join(&own.name)) {
            let shown = visible(&arguments.package.to_string_lossy());
            return Err(format!("nothing was written: `{}` would replace the package {shown}", own.name).into());
        }
        match folder::existing(&root, &own.name) {
            Ok(Existing::Nothing) => {}
            Ok(Existing::File(_)) if arguments.overwrite => {}
            Ok(Existing::File(Some(length))) if length == own.size && in_way.is_empty() => {
                match folder::open_file(&root, &own.name).is_ok_and(|file| has_bytes(package, own, file, cancel)) {
                    true => drop(there.insert(own.index)),
                    false => in_way.push(own.name.clone()),
                }
            }
            Ok(Existing::File(_) | Existing::Folder) => in_way.push(own.name.clone()),
            Err(error) => {
                return Err(format!("nothing was written: `{}` in {folder}: {error}", own.name).into());
            }
        }
    }
    if in_way.is_empty() {
        return Ok(there);
    }
    let remedy = if arguments.overwrite { "folders of the same name exist" } else { "use --overwrite to replace them" };
    Err(format!("nothing was written: these files already exist in {folder}: {} ({remedy})", names(in_way, Lang::En))
        .into())
}

/// True if a file of the length of a member has its bytes.
fn has_bytes(package: &OpenPackage, own: &Chosen, mut file: impl Read, cancel: &Cancel) -> bool {
    let mut bytes = Vec::new();
    let compared = package.contents.unpack(own.index).map(|unpack| {
        package.unpack(unpack, &Meter::new(cancel), &mut |unpacked| {
            bytes.resize(unpacked.len(), 0);
            file.read_exact(&mut bytes)?;
            if bytes == unpacked { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
        })
    });
    matches!(compared, Some(Ok(())))
}

/// Unpacks everything to temporary files and moves them into place, or nothing. Returns the folder, or the exit status.
fn write(arguments: &Extract, package: &OpenPackage, chosen: &[&Chosen], cancel: &Cancel) -> Result<String, i32> {
    let mut target = StagedFolder::open(&arguments.folder).map_err(|error| {
        report_error(&format!("{} cannot be written to: {}", arguments.folder.display(), reason(&error)));
        status::UNSURE
    })?;
    let outcome = chosen.iter().try_for_each(|own| stage(package, own, &mut target, cancel));
    let outcome = outcome.and_then(|()| {
        (0..).zip(chosen).try_for_each(|(number, own)| {
            let placed = target.place(number, &own.name, arguments.overwrite);
            placed.map_err(|error| (own.name.clone(), UnpackError::Io((&error).into())))
        })
    });
    match outcome {
        Ok(()) => {
            let shown = target.shown();
            target.finish();
            Ok(shown)
        }
        Err((name, failed)) => {
            let replaced = target.undo();
            let left = match replaced {
                0 => "nothing was written".to_owned(),
                1 => "1 file was replaced before the error, the others were not".to_owned(),
                count => format!("{count} files were replaced before the error, the others were not"),
            };
            report_error(&match &failed {
                UnpackError::Invalid(found) => {
                    format!("{left}: {name} has changed since it was verified: {}: {}", found.code, found.message)
                }
                UnpackError::Interrupted => format!("{left}: interrupted"),
                UnpackError::Io(reason) => format!("{left}: {name}: {reason}"),
            });
            Err(if matches!(failed, UnpackError::Invalid(_)) { status::FOUND } else { status::UNSURE })
        }
    }
}

fn stage(
    package: &OpenPackage,
    own: &Chosen,
    target: &mut StagedFolder,
    cancel: &Cancel,
) -> Result<(), (String, UnpackError)> {
    let failed = |failed| (own.name.clone(), failed);
    let io = |error: io::Error| failed(UnpackError::Io(reason(&error)));
    let unpack = package.contents.unpack(own.index);
    let unpack = unpack.ok_or_else(|| failed(UnpackError::Io(Reason::other("it cannot be unpacked"))))?;
    let (_, mut file) = target.begin().map_err(io)?;
    package.unpack(unpack, &Meter::new(cancel), &mut |bytes| file.write_all(bytes)).map_err(failed)?;
    file.flush().map_err(io)
}

fn listed(chosen: &[&Chosen]) -> String {
    chosen.iter().map(|own| format!("{}\n", visible(&own.name))).collect()
}

fn said(files: usize, bytes: u64, there: usize, folder: &str, lang: Lang) -> String {
    let folder = visible(folder);
    match lang {
        Lang::En => {
            let more = if there == 0 { String::new() } else { format!("; {there} more had these bytes already") };
            format!("{}, {}, written to {folder}{more}\n", counted(files as u64, "file"), counted(bytes, "byte"))
        }
        Lang::Ja => {
            let more =
                if there == 0 { String::new() } else { format!("（ほか {there} 個は同じ内容で存在）") };
            format!("{files} 個のファイル（{bytes} バイト）を {folder} に書き込みました{more}\n")
        }
    }
}

/// The first few names, and the number of further ones.
fn names(all: Vec<String>, lang: Lang) -> String {
    let more = all.len().saturating_sub(SHOWN);
    let first: Vec<String> = all.into_iter().take(SHOWN).collect();
    let first = first.join(if lang == Lang::Ja { "、" } else { ", " });
    match lang {
        _ if more == 0 => first,
        Lang::En => format!("{first} and {more} more"),
        Lang::Ja => format!("{first} ほか {more} 件"),
    }
}
