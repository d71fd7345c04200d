# SPDX-License-Identifier: LGPL-2.1-or-later
"""The documentation in the XML of a D-Bus interface, as mdoc(7).

A comment documents the element that follows it: `Name:` alone or with text behind it, then
`@argument: text` for each argument, then, after an empty line, paragraphs.
"""
import re
import xml.etree.ElementTree as ElementTree

from roff import example, prose


class Comment:
    def __init__(self, text):
        first, *blocks = re.split(r'\n\s*\n', text.strip())
        head, *arguments = re.split(r'\n\s*@', first)
        self.name, _, inline = head.partition(':')
        self.arguments = dict(re.split(r':\s*', part, maxsplit=1) for part in arguments)
        self.paragraphs = [inline] * bool(inline.strip()) + blocks


def _documented(parent):
    """The elements below @parent, each with the comment that precedes it."""
    comment = None
    for child in parent:
        if child.tag is ElementTree.Comment:
            comment = Comment(child.text)
        else:
            yield child, comment
            comment = None


def _text(text):
    """A paragraph; the names of arguments in it are set apart."""
    for line in prose(text):
        yield re.sub(r'@(\w+)', r'\\fI\1\\fR', line)


def _paragraphs(texts):
    for text in texts:
        yield '.Pp'
        yield from _text(text)


def _arguments(element, direction):
    return ', '.join(f'{arg.get("type")} {arg.get("name")}' for arg in element.iter('arg')
                     if arg.get('direction', 'in') == direction)


def _signature(element):
    name = element.get('name')
    if element.tag == 'property':
        return f'{element.get("type")} {name}'
    line = f'{name} ({_arguments(element, "in")})'
    return line + f' -> ({_arguments(element, "out")})' * (element.tag == 'method')


def _member(element, comment):
    yield f'.Ss {element.get("name")}'
    yield from example(_signature(element).replace(' -> ()', ''))
    if not comment:
        return
    if comment.arguments:
        yield '.Bl -tag -width Ds'
        for name, text in comment.arguments.items():
            yield f'.It Fa {name}'
            yield from _text(text)
        yield '.El'
    yield from _paragraphs(comment.paragraphs)


def page(path):
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.parse(path, parser).getroot()
    interface, about = next((element, comment) for element, comment in _documented(root)
                            if element.tag == 'interface')
    members = [(element, comment) for element, comment in _documented(interface)
               if element.tag != 'annotation']
    yield '.Sh DESCRIPTION'
    yield from list(_paragraphs(about.paragraphs))[1:]
    for tag, title in (('method', 'METHODS'), ('signal', 'SIGNALS'),
                       ('property', 'PROPERTIES')):
        yield f'.Sh {title}'
        for element, comment in members:
            if element.tag == tag:
                yield from _member(element, comment)
