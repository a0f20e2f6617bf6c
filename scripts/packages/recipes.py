"""Recipes for others to build packages by: a Homebrew formula and a container file. Text only: neither Homebrew nor a registry of
containers is reachable where this project is built, so that both were never run; tests/packages reads what they say.
"""

import hashlib

from common import DESCRIPTION, LICENCE, REPOSITORY, VERSION


def formula(archives: dict[str, tuple[str, bytes]]) -> tuple[str, bytes]:
    """For Homebrew, from the archives of a release, by the names of their platforms."""

    def source(platform: str) -> str:
        name, content = archives[platform]
        address = f"{REPOSITORY}/releases/download/v{VERSION}/{name}"
        return f'      url "{address}"\n      sha256 "{hashlib.sha256(content).hexdigest()}"\n'

    systems = ""
    for brew, system in (("macos", "macos"), ("linux", "linux")):
        processors = [(block, f"{system}-{name}") for block, name in (("on_arm", "aarch64"), ("on_intel", "x86_64"))]
        blocks = "".join(f"    {block} do\n{source(platform)}    end\n" for block, platform in processors if platform in archives)
        if blocks:
            systems += f"  on_{brew} do\n{blocks}  end\n\n"
    text = f"""# Text only: written with the packages, never run by Homebrew.
class Fingertip < Formula
  desc "{DESCRIPTION}"
  homepage "{REPOSITORY}"
  version "{VERSION}"
  license "{LICENCE}"

{systems}  def install
    bin.install "fingertip"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/fingertip"
    zsh_completion.install "completions/_fingertip"
    fish_completion.install "completions/fingertip.fish"
  end

  service do
    run [opt_bin/"fingertip", "serve"]
    keep_alive true
  end

  test do
    assert_match "fingertip #{{version}}", shell_output("#{{bin}}/fingertip --version")
  end
end
"""
    return "fingertip.rb", text.encode()


def container() -> tuple[str, bytes]:
    """For container tools, beside the Debian packages of a release."""
    text = f"""# Text only: written with the packages, never built.
#
#   docker build --file Containerfile --tag fingertip .
#   docker run --env FINGERTIP_TOKEN=... --publish 127.0.0.1:8080:8080 fingertip
#
# Phones over USB need --network host and an adb server of the host; without one it serves the demo phone.
FROM debian:12-slim
ARG TARGETARCH=amd64
COPY fingertip_{VERSION}_${{TARGETARCH}}.deb /tmp/fingertip.deb
RUN apt-get update && apt-get install --yes --no-install-recommends adb /tmp/fingertip.deb \\
    && rm -rf /tmp/fingertip.deb /var/lib/apt/lists/* \\
    && useradd --create-home fingertip
USER fingertip
LABEL org.opencontainers.image.version="{VERSION}" org.opencontainers.image.licenses="{LICENCE}"
EXPOSE 8080
ENTRYPOINT ["fingertip"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--tls"]
"""
    return "Containerfile", text.encode()
