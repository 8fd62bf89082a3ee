"""Packs a wheel for the tests: the module that the tests in Rust compiled, and the metadata of maturin.

``maturin build`` compiles the package alone, for which cargo selects other features of the dependencies than for the workspace, and compiles all of
them again. ``python python/dev_wheel.py MATURIN MODULE FOLDER``
"""

import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory


def main(maturin: str, module: str, folder: str) -> None:
    own = Path(__file__).parent
    with TemporaryDirectory() as work:
        command = [maturin, "pep517", "write-dist-info", "--interpreter", sys.executable, "--manifest-path", str(own / "Cargo.toml")]
        subprocess.run([*command, "--metadata-directory", work], check=True)
        (info,) = Path(work).glob("*.dist-info")
        tag = next(line.split()[1] for line in (info / "WHEEL").read_text().splitlines() if line.startswith("Tag:"))
        package = own / "python"
        files = {path.relative_to(package).as_posix(): path for path in package.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".so")}
        files |= {path.relative_to(work).as_posix(): path for path in info.rglob("*") if path.is_file()}
        files["resourcesync/_core.abi3.so"] = Path(module)
        record = f"{info.name}/RECORD"
        rows = []
        with zipfile.ZipFile(Path(folder) / f"{info.name.removesuffix('.dist-info')}-{tag}.whl", "w") as wheel:
            for name, path in sorted(files.items()):
                content = path.read_bytes()
                digest = urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
                wheel.writestr(name, content)
                rows.append(f"{name},sha256={digest},{len(content)}\n")
            wheel.writestr(record, "".join([*rows, f"{record},,\n"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
