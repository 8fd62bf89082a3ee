"""The index by which the publisher finds another object at a URI."""

from __future__ import annotations

from django.db import migrations

from ..models import UriIndex


class Migration(migrations.Migration):
    """Adds the index."""

    dependencies = [("resourcesync", "0001_initial")]

    operations = [migrations.AddIndex("item", UriIndex(fields=["uri"], name="resourcesync_item_uri"))]
