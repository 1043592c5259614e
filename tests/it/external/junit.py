"""Holds JUnit files to a schema, and reads them back with another reader: `junit.py SCHEMA|- FILE…`.

Prints for each file how many tests, failures, errors and skipped ones the reader counted by itself.
"""
import sys

from junitparser import JUnitXml
from lxml import etree

schema, *files = sys.argv[1:]
for file in files:
    if schema != "-":
        etree.XMLSchema(etree.parse(schema)).assertValid(etree.parse(file))
    xml = JUnitXml.fromfile(file)
    stated = (xml.tests, xml.failures, xml.errors)
    skipped = sum(suite.skipped for suite in xml)
    xml.update_statistics()
    counted = (xml.tests, xml.failures, xml.errors)
    assert stated == counted, f"{file}: states {stated}, holds {counted}"
    assert skipped == xml.skipped, f"{file}: states {skipped} skipped, holds {xml.skipped}"
    print(*counted, xml.skipped)
