"""Registry, documents, versions, pages, passages

Revision: 0001, the first.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "derivations",
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("source_section", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_derivations")),
    )
    op.create_table(
        "documents",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=True),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("doc_type", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=True),
        sa.Column("valid_to", sa.Date(), nullable=True),
        sa.Column("series", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("max_pages", sa.Integer(), nullable=True),
        sa.Column("derived_from", sa.Text(), nullable=True),
        sa.Column("amends", sa.Text(), nullable=True),
        sa.Column("source_uri", sa.Text(), nullable=True),
        sa.Column("mirrors", sa.JSON(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=True),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
    )
    op.create_index(
        "uq_documents_collection_key_active",
        "documents",
        ["collection", "key"],
        unique=True,
        sqlite_where=sa.text("status = 'active'"),
        postgresql_where=sa.text("status = 'active'"),
    )

    op.create_table(
        "governments",
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=False),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("since", sa.Date(), nullable=False),
        sa.Column("until", sa.Date(), nullable=True),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_governments")),
    )
    op.create_table(
        "jurisdictions",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("aliases", sa.JSON(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_jurisdictions")),
    )
    op.create_table(
        "parties",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("aliases", sa.JSON(), nullable=False),
        sa.Column("members", sa.JSON(), nullable=False),
        sa.Column("jurisdictions", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_parties")),
    )
    op.create_table(
        "registered_documents",
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("jurisdiction", sa.Text(), nullable=True),
        sa.Column("parties", sa.JSON(), nullable=False),
        sa.Column("doc_type", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=True),
        sa.Column("valid_to", sa.Date(), nullable=True),
        sa.Column("series", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("max_pages", sa.Integer(), nullable=True),
        sa.Column("derived_from", sa.Text(), nullable=True),
        sa.Column("amends", sa.Text(), nullable=True),
        sa.Column("source_uri", sa.Text(), nullable=True),
        sa.Column("mirrors", sa.JSON(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=True),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("file", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_registered_documents")),
        sa.UniqueConstraint("collection", "key", name=op.f("uq_registered_documents_collection_key")),
    )
    op.create_table(
        "versions",
        sa.Column("row", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("pipeline", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("seen_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("indexed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("original", sa.Text(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("pages_without_text", sa.Integer(), nullable=False),
        sa.Column("pages_ocr", sa.Integer(), nullable=False),
        sa.Column("hidden_characters", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("warnings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name=op.f("fk_versions_document_id")),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_versions")),
        sa.UniqueConstraint("id", name=op.f("uq_versions_id")),
    )
    op.create_index(op.f("ix_versions_document_id"), "versions", ["document_id"])
    op.create_index(op.f("ix_versions_sha256"), "versions", ["sha256"])
    op.create_index(
        "uq_versions_document_id_active",
        "versions",
        ["document_id"],
        unique=True,
        sqlite_where=sa.text("status = 'active'"),
        postgresql_where=sa.text("status = 'active'"),
    )

    op.create_table(
        "pages",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("width", sa.Double(), nullable=False),
        sa.Column("height", sa.Double(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("text_source", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_row"], ["versions.row"], name=op.f("fk_pages_version_row"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("version_row", "number", name=op.f("pk_pages")),
    )
    op.create_table(
        "passages",
        sa.Column("version_row", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("windows", sa.JSON(), nullable=False),
        sa.Column("section_id", sa.Text(), nullable=True),
        sa.Column("section_title", sa.Text(), nullable=True),
        sa.Column("section_path", sa.JSON(), nullable=True),
        sa.Column("section_hierarchy", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["version_row"], ["versions.row"], name=op.f("fk_passages_version_row"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("version_row", "ordinal", name=op.f("pk_passages")),
        sa.UniqueConstraint("id", name=op.f("uq_passages_id")),
    )
    op.create_index(op.f("ix_passages_version_row_section_id"), "passages", ["version_row", "section_id"])


def downgrade() -> None:
    op.drop_index(op.f("ix_passages_version_row_section_id"), table_name="passages")

    op.drop_table("passages")
    op.drop_table("pages")
    op.drop_index("uq_versions_document_id_active", table_name="versions")
    op.drop_index(op.f("ix_versions_sha256"), table_name="versions")
    op.drop_index(op.f("ix_versions_document_id"), table_name="versions")

    op.drop_table("versions")
    op.drop_table("registered_documents")
    op.drop_table("parties")
    op.drop_table("jurisdictions")
    op.drop_table("governments")
    op.drop_index("uq_documents_collection_key_active", table_name="documents")

    op.drop_table("documents")
    op.drop_table("derivations")
