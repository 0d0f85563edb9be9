"""Extends Schemathesis, which loads this file: see `hooks` in schemathesis.toml."""

import schemathesis

# Content type of tus uploads.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
