"""Renders the templates of the oracle with Jinja2: python make_oracle.py > oracle.json

Rendered with Jinja2 3.1.6. An error of Jinja2 is kept as "error": true.
"""

import json
import sys

import jinja2

env = jinja2.Environment(undefined=jinja2.StrictUndefined)

MCQ = (
    "{% if has_image %}<image>{% endif %}{% if hint %}Context: {{ hint }}\n{% endif %}"
    "Question: {{ question }}\nOptions:\n{% for k, v in options.items() %}({{ k }}) {{ v }}\n"
    "{% endfor %}Answer with the letter."
)
MIXED = {"E": "fifth", "A": "first", "D": "fourth", "B": "second", "C": "third"}
CASES = []


def case(name, template, **values):
    CASES.append((name, template, values))


def mcq(name, **values):
    values = {"has_image": True, "hint": "", "question": "Which side?", "options": MIXED, **values}
    case("question: " + name, MCQ, **values)


mcq("options that are not in the alphabet's order")
mcq("a hint", hint="Seen from the front.")
mcq("none as a hint", hint=None)
mcq("no picture", has_image=False)
mcq("no options", options={})
mcq("one option", options={"B": "only"})
mcq("characters of HTML", question="Is a < b & \"c\" > 'd'?", options={"A": "<b>", "B": "&amp;"})
mcq("templates in the data", question="{{ hint }}", options={"A": "{% if %}", "B": "{# x #}"})
mcq("line ends in the data", question="a\nb\r\nc", hint="\n")
mcq("other scripts", question="病变在哪一侧？", options={"A": "左侧", "B": "右侧"})
mcq("blanks are a hint", hint=" ")
mcq("keys called as methods", options={"items": "i", "keys": "k", "get": "g"})

for text in ["a\n", "a\n\n", "a\r\n", "a\r\n\r\n", "\n", "", " a ", "a\rb\r", "a\u2028", "\ufeffa"]:
    case("text %r" % text, text)
for t in [
    "  {% if x %}\n  yes\n  {% endif %}\n",
    "  {%- if x %}\n  yes\n  {%- endif %}\n",
    "  {% if x -%}\n  yes\n  {% endif -%}\n b",
    "  {%- if x -%}\n  yes\n  {%- endif -%}\n b",
    "a {{- x -}} b",
    "a {{ x -}} \n b",
    "a \n {{- x }} b",
    "a {#- note -#} b",
    "a {# note #} b",
    "a {#- note #}\n b",
    "a\n{%+ if x +%}\nyes\n{%+ endif +%}\nb",
    "a\u00a0\u3000{%- if x -%}\x1c\x85yes{% endif %}",
    "{{x}}{{ x}}{{x }}",
    "{{\nx\n}}",
    "{% if\nx\n%}y{% endif\n%}",
    "{ {x} } {{ '{{' }} {{ '}}' }} {{ \"%}\" }} }} %} #}",
    "{# {{ x }} {% if %} #}{{ x }}",
    "{% for c in 'ab' %}\n- {{ c }}\n{% endfor %}\n",
    "{{ x }}\n",
    "{{ x }}\n\n",
    "{%if x%}y{%endif%}",
]:
    case("blanks %r" % t, t, x="X")

for v in [None, "", " ", "0", 0, 1, -1, 0.0, 0.5, True, False, [], [0], {}, {"a": ""}]:
    case("truth of %r" % (v,), "{% if x %}yes{% else %}no{% endif %}{{ 'T' if x else 'F' }}{{ not x }}{{ 1 if not x }}", x=v)
for t in [
    "{% if a %}1{% elif b %}2{% elif c %}3{% else %}4{% endif %}",
    "{{ a or b }}|{{ a and b }}|{{ b or a }}|{{ b and c }}|{{ a or '' }}",
    "{{ not a }}{{ not not a }}{{ not a and b }}{{ not (a and b) }}",
    "{{ a or b and c }}{{ (a or b) and c }}{{ a if b else c }}{{ a if a else b if b else c }}",
    "{% if a == '' and(b == 'B') %}y{% endif %}",
    "{% if b is none %}none{% else %}some{% endif %}{% if b is not none %}some{% endif %}",
    "{{ a is defined }}{{ zz is defined }}{{ zz is not defined }}{{ zz is undefined }}",
    "{{ a is string }}{{ 1 is string }}{{ 1 is number }}{{ 1.0 is float }}{{ 1 is integer }}{{ true is boolean }}{{ true is integer }}",
    "{{ {} is mapping }}{{ [] is mapping }}{{ [] is sequence }}{{ 'a' is sequence }}{{ {} is sequence }}{{ 1 is iterable }}{{ {}.items() is sequence }}{{ {}.items() is iterable }}",
    "{{ 3 is odd }}{{ 3 is even }}{{ -3 is odd }}{{ 6 is divisibleby 3 }}{{ 6 is divisibleby(4) }}{{ 1 is in [1, 2] }}{{ 1 is eq 1.0 }}{{ 1 is ne 2 }}{{ 'a' is equalto 'b' }}",
    "{{ b is true }}{{ true is true }}{{ false is false }}{{ 1 is true }}",
    "{{ a|default('d') }}|{{ a|default('d', true) }}|{{ zz|default('d') }}|{{ zz|d }}|{{ b|default('d', boolean=true) }}|{{ zz|default(default_value='x') }}",
    "{{ ('x' if a)|default('d') }}|{{ 'x' if a }}|{{ ('x' if a) ~ 'y' }}|{{ ('x' if a) is defined }}",
    "{{ b is string and c is string }}{{ b == 'B' is string }}",
    "{{ -1 is odd }}{{ not 1 is odd }}{{ (1 + 1) is odd }}",
]:
    case("logic %r" % t, t, a="", b="B", c="C")

for t in [
    "{{ 1 + 2 * 3 }} {{ (1 + 2) * 3 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ 7 // -2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }} {{ 7 / 2 }} {{ 6 / 2 }}",
    "{{ 10 - 2 - 3 }} {{ 100 // 10 // 3 }} {{ - 3 + 5 }} {{ -(3) }} {{ +3 }} {{ 2 - -3 }}",
    "{{ 1 < 2 }} {{ 1 < 2 < 3 }} {{ 1 < 2 < 2 }} {{ 3 > 2 >= 2 }} {{ 1 == 1.0 }} {{ 1 == true }} {{ '1' == 1 }} {{ 1 != 2 }} {{ none == none }} {{ none == '' }}",
    "{{ 'a' < 'b' }} {{ 'a' < 'B' }} {{ 'é' > 'z' }} {{ '\U0001f600' > '\uffee' }} {{ 1.5 > 1 }}",
    "{{ 'a' ~ 1 ~ 'b' }} {{ 'a' + 'b' }} {{ 1 ~ 2 }} {{ 1 + 2 ~ 3 }} {{ 'x' ~ 2 * 3 }} {{ 'a' 'b' }}",
    "{{ 1.0 }} {{ 1.5 }} {{ 0.1 + 0.2 }} {{ 100000000000000000.0 }} {{ 1000000000000000.0 }} {{ 0.0001 }} {{ 0.00001 }} {{ 2 / 3 }} {{ 1 / 3 * 3 }}",
    "{{ 'b' in 'abc' }} {{ '' in 'abc' }} {{ 'x' not in 'abc' }} {{ 1 in [1, 2] }} {{ 3 not in (1, 2) }} {{ 'A' in o }} {{ 'Z' in o }} {{ 1 in o }} {{ 'first' in o.values() }} {{ 'B' in o.keys() }}",
    "{{ not 'a' in 'abc' }} {{ 'a' in 'abc' == true }}",
    "{{ [1, 2] == [1, 2] }} {{ [1] == (1,) }} {{ {'a': 1} == {'a': 1.0} }} {{ {'a': 1, 'b': 2} == {'b': 2, 'a': 1} }} {{ o == {} }}",
    "{{ true }} {{ True }} {{ false }} {{ False }} {{ 12 }} {{ 'x' }} {{ \"y\" }}",
    "{{ [1, 'a', true, 1.5, [], (), (1,), (1, 2), {'k': 'v'}] }}",
    "{{ ['it\\'s', 'say \"x\"', 'both \\' \"', 'a\\nb\\t\\\\', 'é', '日', '\\x07', '\\u200b', '\xa0', '\U000e0001'] }}",
    "{{ 'a\\nb' }}{{ 'tab\\t' }}{{ '\\\\' }}{{ '\\'' }}{{ \"\\\"\" }}{{ '\\x41\\u00e9' }}{{ 'é日' }}",
    "{{ o }} {{ {} }} {{ [] }}",
]:
    case("operators %r" % t, t, o=MIXED)

for t in [
    "{{ l[0] }}{{ l[-1] }}{{ l.1 }}{{ l[1] }}{{ s[0] }}{{ s[-1] }}{{ s[1] }}",
    "{{ l[1:] }}{{ l[:1] }}{{ l[-2:] }}{{ l[5:] }}{{ l[:] }}{{ l[2:1] }}{{ s[1:] }}{{ s[:-1] }}{{ s[-9:9] }}",
    "{{ o['E'] }}{{ o.E }}{{ o.get('E') }}{{ o.get('Z', '?') }}{{ o.get('Z') is none }}{{ o['Z'] is defined }}{{ o.Z is defined }}{{ o['Z']|default('d') }}",
    "{{ l[9] is defined }}{{ l[9]|default('d') }}{{ n.0.1 }}{{ n[1][0] }}{{ n.1.0 }}",
    "{{ o.keys()|join }}{{ o.values()|join(', ') }}{{ o|join('-') }}{{ o|length }}{{ o.items()|length }}{{ o.keys()|list }}{{ o.items()|list }}{{ o|list }}",
    "{% for k in o %}{{ k }}{% endfor %}{% for k, v in o|items %}{{ k }}{{ v }}{% endfor %}{% for k, v in o|dictsort %}{{ k }}{{ v }}{% endfor %}{% for i in o.items() %}{{ i[0] }}{{ i.1 }}{% endfor %}",
    "{% for k, v in o|dictsort(reverse=true) %}{{ k }}{% endfor %}{% for k, v in o|dictsort(by='value') %}{{ k }}{% endfor %}{% for k, v in o|dictsort(false, 'value', true) %}{{ k }}{% endfor %}",
    "{% for k, v in m|dictsort %}{{ k }}{% endfor %} {% for k, v in m|dictsort(true) %}{{ k }}{% endfor %}",
    "{{ o|items|list }} {{ o|dictsort|first }} {{ o|items|first }}",
    "{{ o.items()|first }} {{ o|first }} {{ o|last }} {{ l|first }} {{ l|last }} {{ s|first }} {{ s|last }} {{ []|first is defined }}",
    "{{ l|reverse|join }} {{ s|reverse }} {{ o|reverse|list }}",
    "{{ ({'a': 1}).a }} {{ {'a': {'b': {'c': 3}}}.a.b.c }} {{ {'x': 1}['x'] }}",
    "{{ [3, 4][1] }} {{ (5, 6)[0] }} {{ 'abc'[1] }} {{ ('a' ~ 'b')[1] }}",
]:
    case("items %r" % t, t, o=MIXED, l=["x", "y", "z"], s="日本語", n=[["p", "q"], ["r"]], m={"b": 1, "A": 2, "a": 3, "B": 4})

for t in [
    "{{ s|upper }}{{ s|lower }}{{ s|capitalize }}{{ s.upper() }}{{ s.lower() }}{{ s.capitalize() }}",
    "{{ t|upper }}{{ t|lower }}{{ t|capitalize }}{{ 'ÎLE'|capitalize }}{{ 'ǆ'|capitalize }}{{ 'ΑΣ'|lower }}{{ 'İ'|lower }}",
    "[{{ w|trim }}][{{ w.strip() }}][{{ w.lstrip() }}][{{ w.rstrip() }}][{{ 'xxaxx'|trim('x') }}][{{ 'xya'.lstrip('yx') }}]",
    "{{ s|length }}{{ w|count }}{{ '日本'|length }}{{ '\U0001f600'|length }}",
    "{{ s|replace('l', 'L') }}{{ s|replace('l', 'L', 1) }}{{ s.replace('l', '') }}{{ s.replace('l', 'L', 2) }}{{ 'aaa'.replace('', '-') }}{{ 'aaa'.replace('a', 'b', 0) }}{{ 12|replace('1', '2') }}",
    "{{ 'a b  c'.split() }}{{ 'a,b,,c'.split(',') }}{{ '\u3000a\x1cb'.split() }}{{ ''.split() }}{{ ''.split(',') }}",
    "{{ ', '.join(['a', 'b']) }}{{ ['a', 1, 2.5]|join('/') }}{{ []|join }}{{ 'abc'|join('.') }}",
    "{{ s.startswith('He') }}{{ s.endswith('lo') }}{{ s.removeprefix('He') }}{{ s.removesuffix('x') }}",
    "{{ 1|string }}{{ 1|string is string }}{{ true|string }}{{ [1]|string|length }}",
    "{{ s|upper|lower|length }}{{ ('a' ~ s)|upper }}{{ 'a' ~ s|upper }}{{ -1|string }}",
    "{{ 'x'|upper is string }}{{ ('x' is string)|string }}{{ 'x' is string|string }}",
]:
    case("texts %r" % t, t, s="Hello", t="straße ß ﬁ Σίσυφος", w=" \t\u00a0x\u3000\x1f\n")

for t in [
    "{% for x in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ x }};{% endfor %}",
    "{% for x in l if x != 'b' %}{{ loop.index }}{{ loop.length }}{{ x }}{% else %}none{% endfor %}",
    "{% for x in l if x == 'q' %}{{ x }}{% else %}none{% endfor %}",
    "{% for x in [] %}{{ x }}{% else %}empty{% endfor %}{% for x in '' %}{% else %}empty{% endfor %}{% for x in {} %}{% else %}empty{% endfor %}",
    "{% for x in l %}{% for y in l %}{{ loop.index }}{{ x }}{{ y }}{% endfor %}{{ loop.index }}{% endfor %}",
    "{% for x in l %}{% if not loop.last %}{{ x }}, {% else %}and {{ x }}{% endif %}{% endfor %}",
    "{% for k, v in o.items() %}{{ loop.index }}. {{ v }}{% if not loop.last %}\n{% endif %}{% endfor %}",
    "{% for a, b in [[1, 2], (3, 4)] %}{{ a }}{{ b }};{% endfor %}",
    "{% set x = 1 %}{% for i in l %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}",
    "{% set x = 'o' %}{% if true %}{% set x = 'i' %}{% endif %}{{ x }}",
    "{% if false %}{% set x = 1 %}{% endif %}{{ x is defined }}",
    "{% for i in l %}{% if loop.first %}{% set z = i %}{% endif %}{{ z is defined }}{% endfor %}",
    "{% set l = l|length %}{{ l }}",
    "{% for l in l %}{{ l }}{% endfor %}{{ l }}",
    "{% for x in l %}{{ x }}{% endfor %}{{ x is defined }}",
    "{% set y = (l[0] if l else 'n') ~ '!' %}{{ y }}",
    "{% for c in '日本' %}[{{ c }}]{% endfor %}",
    "{% for x in l %}{{ 'ABC'[loop.index0] }}. {{ x }}\n{% endfor %}",
    "{% for x in [] %}{% else %}{% set q = 1 %}{{ q }}{% endfor %}{{ q is defined }}",
]:
    case("loops %r" % t, t, l=["a", "b", "c"], o=MIXED)

for t in [
    "{{ zz }}", "{% if zz %}{% endif %}", "{{ zz.a }}", "{{ zz ~ 'a' }}", "{% for x in zz %}{% endfor %}", "{{ zz == 1 }}", "{{ o.Z }}", "{{ o['Z'] }}", "{{ l[9] }}",
    "{{ 'a' + 1 }}", "{{ 1 + 'a' }}", "{{ 'a' < 1 }}", "{{ none < 1 }}", "{{ 1 // 0 }}", "{{ 1 / 0 }}", "{{ -'a' }}", "{{ 1 in 'a' }}", "{{ 1 in 2 }}", "{% for x in 1 %}{% endfor %}",
    "{% for a, b in [[1]] %}{% endfor %}", "{% for a, b in [[1, 2, 3]] %}{% endfor %}", "{{ 1|length }}", "{{ none.x }}", "{{ o.foo() }}", "{{ 'a'.foo() }}", "{{ 'a'.split('') }}",
    "{{ a b }}", "{{ }}", "{{", "{{ 1", "{% if %}{% endif %}", "{% if 1 %}", "{% endif %}", "{% for x %}{% endfor %}", "{% for x in l %}", "{# a", "{{ (1 }}", "{{ 1) }}", "{{ [1 }}", "{{ a$b }}", "{{ 'a }}",
    "{{ 1|nofilter }}", "{{ 1 is notest }}", "{% nonsense %}", "{{ l|join(', ', 1, 2, 3) }}", "{{ 1 is divisibleby }}", "{{ x is defined is true }}", "{% set true = 1 %}", "{{ a.1b }}", "{{ 1 if }}", "{{ not }}",
    "{{ 'abc'|first|nofilter }}", "{% elif 1 %}", "{{ 01 }}", "{{ ..x }}", "{{ x. }}", "{{ l[] }}", "{{ [1,,2] }}", "{{ ('a') ('b') }}", "{% else %}", "{% if 1 %}{% else %}{% else %}{% endif %}",
    "{% for loop in l %}{% endfor %}", "{% for x in l if loop.first %}{% endfor %}", "{{ loop.index }}", "{{ [none] ~ 1 < 2 }}", "{{ '日'[1] }}", "{{ {}.x }}", "{{ ''.join([1]) }}",
]:
    case("error %r" % t, t, o=MIXED, l=["x"])

out = []
for name, template, values in CASES:
    row = {"name": name, "template": template, "values": values}
    try:
        row["want"] = env.from_string(template).render(**values)
    except Exception:
        row["error"] = True
    out.append(row)
json.dump(out, sys.stdout, ensure_ascii=False, indent=1)
sys.stdout.write("\n")
