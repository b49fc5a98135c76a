"""moto's S3 in its own process."""

import uuid
from typing import Any

from adapters.s3 import Bucket
from tests.support.repository import ROOT
from tests.support.stand_in import StandIn


class S3Server(StandIn):
    """`ask` calls a verb of tests/servers/s3."""

    module = "tests.servers.s3"
    python = ROOT / "build" / "venvs" / "s3" / "bin" / "python"

    def bucket(self, *, who: str = "all", prefix: str = "library/") -> Bucket:
        """A new bucket, for the keys of "all" or of the "reader"."""
        name = f"files-{uuid.uuid4().hex}"
        self.ask("bucket", name=name)
        keys: Any = self.begun[who]
        return Bucket(name=name, prefix=prefix, endpoint=self.address, region="us-east-1", **keys)

    def settings(self, bucket: Bucket) -> dict[str, str]:
        """The settings under [files] that lead to `bucket`."""
        return {
            "url": bucket.url,
            "endpoint": bucket.endpoint,
            "region": bucket.region,
            "access_key": bucket.access_key,
            "secret_key": bucket.secret_key,
        }
