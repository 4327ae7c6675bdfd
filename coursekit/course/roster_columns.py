"""The kind of value in each column of a class list, by the column's name in the languages of Canvas and Moodle."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

# id: of this course; canvas: Canvas' own number; participant: Moodle's "Participant 7009"; number: a student number, as
# the university or the platform has it; other: a column that is not known, in which other people's names may stand.
Kind = Literal["id", "canvas", "participant", "number", "login", "email", "name", "first", "last", "other"]


class Evidence(NamedTuple):
    """What a platform or a person has written of a student."""

    kind: Kind | Literal["typed"]  # typed: chosen by a person, for a file or a folder
    value: str


# The column with the ids of this course: the first of these that a class list has.
IDS = (
    *("student", "studentid", "id", "sid", "sisloginid", "sisuserid", "orgdefinedid", "idnumber"),
    *("idnummer", "matrikelnummer", "numerodidentification", "numerodeid", "numerodidentificacion"),
    *("numerodeidentificacion", "numeroid", "username", "benutzername", "anmeldename", "nomdutilisateur"),
    *("nombredeusuario", "login", "canvasid", "canvas", "email", "emailaddress", "emailadresse"),
    *("adressedecourriel", "direcciondecorreo", "indirizzoemail"),
)
# Names of columns, as `header` writes them.
_KINDS: dict[Kind, tuple[str, ...]] = {
    "canvas": ("canvas", "canvasid", "canvasuserid", "canvasnumber"),
    "participant": (
        *("identifier", "teilnehmerkennung", "identifiant", "identificador", "identificativo", "moodle"),
    ),
    "number": (
        *("sid", "studentid", "studentnumber", "sisuserid", "orgdefinedid", "integrationid", "idnumber"),
        *("matriculationnumber", "idnummer", "matrikelnummer", "matrikelnr", "numerodidentification"),
        *("numeroetudiant", "numerodeid", "numerodidentificacion", "numerodeidentificacion", "matricola"),
        *("numeroid", "matricula", "numerodealuno"),
    ),
    "login": (
        *("sisloginid", "loginid", "login", "username", "user", "benutzername", "anmeldename"),
        *("nomdutilisateur", "nombredeusuario", "nomeutente", "nomedeusuario", "nomedeutilizador"),
        *("gebruikersnaam",),
    ),
    "email": (
        *("email", "emailaddress", "mail", "emailadresse", "emailadres", "adressedecourriel"),
        *("adresseemail", "courriel", "adresseelectronique", "direcciondecorreo", "direccionemail"),
        *("correo", "correoelectronico", "indirizzoemail", "enderecodeemail", "enderecodecorreio"),
        *("epost", "epostadress", "epostadresse"),
    ),
    "name": (
        *("name", "fullname", "studentname", "student", "displayname", "sortablename"),
        *("vollstandigername", "nomcomplet", "nombrecompleto", "nomecompleto", "volledigenaam"),
        *("fullstandigtnamn", "fulltnavn"),
        # Further names of the same person.
        *("nickname", "preferredname", "chosenname", "formername", "birthname", "alias", "rufname"),
        *("spitzname", "geburtsname", "surnom", "apodo", "soprannome", "roepnaam"),
    ),
    "first": (
        *("firstname", "givenname", "vorname", "prenom", "nombre", "nome", "voornaam", "fornamn"),
        *("fornavn", "etunimi", "imie", "jmeno", "ad", "adi", "имя", "名"),
    ),
    "last": (
        *("lastname", "surname", "familyname", "nachname", "familienname", "nom", "nomdefamille"),
        *("apellido", "apellidos", "cognome", "sobrenome", "apelido", "apelidos", "achternaam"),
        *("efternamn", "etternavn", "efternavn", "sukunimi", "nazwisko", "prijmeni", "soyad", "soyadi"),
        *("фамилия", "姓"),
    ),
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names} | {"id": "id"}


def kinds(columns: list[str]) -> list[Kind]:
    """Return the kind of each column. In Canvas' gradebook, "Student" has names and "ID" Canvas' numbers.

    >>> kinds(["Student", "ID", "SIS Login ID", "Section"]), kinds(["ID", "Name"])
    (['name', 'canvas', 'login', 'other'], ['id', 'name'])
    """
    headers = list(map(header, columns))
    of_canvas = "student" in headers and bool({"sisloginid", "sisuserid", "section"}.intersection(headers))
    of_canvas |= headers[:3] == ["lastname", "firstname", "id"] and "sisloginid" in headers
    return ["canvas" if of_canvas and name == "id" else _KIND_OF.get(name, "other") for name in headers]


def evidence(cells: Iterable[tuple[Kind, str]]) -> list[Evidence]:
    """Return what a line of a class list says of its student, with first and last name as one name.

    >>> evidence([("id", "1"), ("last", "Doe"), ("first", "Jane"), ("other", "section A")])
    [Evidence(kind='id', value='1'), Evidence(kind='name', value='Jane Doe')]
    """
    found, parts = [], {"first": "", "last": ""}
    for kind, cell in cells:
        if kind in parts:
            parts[kind] = parts[kind] or cell
        elif cell and kind not in ("first", "last", "other"):
            found.append(Evidence(kind, cell))
    full = " ".join(filter(None, parts.values()))
    return [*found, Evidence("name", full)] if full else found


def id_column(columns: list[str]) -> int | None:
    """Return the index of the column with the ids of this course, or None if there is none.

    >>> id_column(["Student", "ID", "SIS Login ID"]), id_column(["Nom", "Courriel"])
    (2, None)
    """
    headers, found = list(map(header, columns)), kinds(columns)
    # In Canvas' gradebook, "ID" comes last; a column "Student" has names if another one can have ids.
    names = [name for name in IDS if name in headers]
    names.sort(key=lambda name: (name == "student", found[headers.index(name)] == "canvas"))
    return headers.index(names[0]) if names else None


def header(text: str) -> str:
    """Return a column's name in the form for comparisons: letters and digits, in lower case and without accents.

    >>> header("Prénom"), header("E-Mail-Adresse")
    ('prenom', 'emailadresse')
    """
    return plain(without_accents(text))


_APOSTROPHE = re.compile("['’‘ʼ`´]")


def plain(text: str) -> str:
    """Return a name in the form for comparisons: only letters and digits, in lower case.

    >>> plain("Doe, Jane"), plain("DOE JANE"), plain("jdoe@example.org")
    ('doejane', 'doejane', 'jdoeexampleorg')
    """
    return words(text).replace(" ", "")


def words(text: str) -> str:
    """Return the words of a name in the form for comparisons, with a space between them.

    >>> words("Doe, Jean-Luc"), words("d'Arc")
    ('doe jean luc', 'darc')
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\W_]+", " ", _APOSTROPHE.sub("", text)).strip()


_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae", "Æ": "AE"}
)
_UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa"}
)


def without_accents(text: str) -> str:
    """Return a text with the letters that people write who have no accents on their keyboard.

    >>> without_accents("Żółć"), without_accents("Nguyễn Văn A")
    ('Zolc', 'Nguyen Van A')
    """
    letters = unicodedata.normalize("NFKD", text).translate(_LETTERS)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def spellings(name: str) -> set[str]:
    """Return the ways in which a name may be written elsewhere, as `words` writes them.

    >>> sorted(spellings("Müller"))
    ['mueller', 'muller']
    """
    composed = unicodedata.normalize("NFC", name)
    return {words(without_accents(composed)), words(without_accents(composed.translate(_UMLAUTS)))} - {""}
