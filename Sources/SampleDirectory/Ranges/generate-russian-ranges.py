#!/usr/bin/env python3
"""Writes ../RussianRanges+Generated.swift: blocks of 10,000 assigned Russian numbers by main city of their region.

usage: generate-russian-ranges.py RANGES.csv REGIONS.csv > ../RussianRanges+Generated.swift

RANGES.csv has `from;to;region_id` (numbers with the leading 7), REGIONS.csv has `region_id;zone;numbers;region`: the
registry of the Russian numbering plan, ranges of one region joined. A block is kept when all of its numbers are
assigned and belong to one region. Spellings of a region are told apart by the stems below; ranges of several regions,
of municipal districts and of the codes 801-809, which belong to no region, are left out, and so are a few blocks of
code 930 that libphonenumber 9.0 no longer takes for Russian numbers.
"""
import collections
import csv
import sys

# Stem of the region's name -> its main city. The order matters where one stem is part of another.
STEMS = [
    ("Чукот", "Анадырь"), ("Ханты", "Сургут"), ("Ямало", "Новый Уренгой"), ("Ненецк", "Нарьян-Мар"),
    ("Еврейск", "Биробиджан"), ("Адыге", "Майкоп"), ("Башкорт", "Уфа"), ("Бурят", "Улан-Удэ"),
    ("Республика Алтай", "Горно-Алтайск"), ("Алтайск", "Барнаул"), ("Дагестан", "Махачкала"), ("Ингуш", "Магас"),
    ("Кабардино", "Нальчик"), ("Калмык", "Элиста"), ("Карачаев", "Черкесск"), ("Карели", "Петрозаводск"),
    ("Коми", "Сыктывкар"), ("Крым", "Симферополь"), ("Севастополь", "Севастополь"), ("Марий", "Йошкар-Ола"),
    ("Мордов", "Саранск"), ("Саха /", "Якутск"), ("Осети", "Владикавказ"), ("Татарстан", "Казань"), ("Тыва", "Кызыл"),
    ("Удмурт", "Ижевск"), ("Хакас", "Абакан"), ("Чечен", "Грозный"), ("Чуваш", "Чебоксары"), ("Забайкал", "Чита"),
    ("Камчат", "Петропавловск-Камчатский"), ("Краснодар", "Краснодар"), ("Краснояр", "Красноярск"), ("Перм", "Пермь"),
    ("Примор", "Владивосток"), ("Ставрополь", "Ставрополь"), ("Хабаров", "Хабаровск"), ("Амурск", "Благовещенск"),
    ("Архангел", "Архангельск"), ("Астрахан", "Астрахань"), ("Белгород", "Белгород"), ("Брянск", "Брянск"),
    ("Владимир", "Владимир"), ("Волгоград", "Волгоград"), ("Вологод", "Вологда"), ("Воронеж", "Воронеж"),
    ("Иванов", "Иваново"), ("Иркут", "Иркутск"), ("Калининград", "Калининград"), ("Калуж", "Калуга"),
    ("Кемеров", "Кемерово"), ("Киров", "Киров"), ("Костром", "Кострома"), ("Курган", "Курган"), ("Курск", "Курск"),
    ("Ленинград", "Гатчина"), ("Липец", "Липецк"), ("Магадан", "Магадан"), ("Московск", "Балашиха"),
    ("Мурманск", "Мурманск"), ("Нижегород", "Нижний Новгород"), ("Новгород", "Великий Новгород"),
    ("Новосибир", "Новосибирск"), ("Омск", "Омск"), ("Оренбург", "Оренбург"), ("Орлов", "Орёл"), ("Пензен", "Пенза"),
    ("Псков", "Псков"), ("Ростов", "Ростов-на-Дону"), ("Рязан", "Рязань"), ("Самар", "Самара"), ("Саратов", "Саратов"),
    ("Сахалин", "Южно-Сахалинск"), ("Свердлов", "Екатеринбург"), ("Смолен", "Смоленск"), ("Тамбов", "Тамбов"),
    ("Тверск", "Тверь"), ("Томск", "Томск"), ("Тульск", "Тула"), ("Тюмен", "Тюмень"), ("Ульянов", "Ульяновск"),
    ("Челябин", "Челябинск"), ("Ярослав", "Ярославль"),
]
CAPITALS = ["Москва", "Санкт-Петербург"]
BLOCK = 10_000
GIVEN_BACK = {930_000 + block for block in [*range(10), 65, 66]}


def city(zone, region):
    if zone == "msk_spb":
        names = region.replace("Санкт - Петербург", "Санкт-Петербург")
        if "Красноярский" in names:
            return None
        return "Москва" if "Москва" in names else "Санкт-Петербург"
    if "округ " in region.replace("автономный округ", "") and "федеральный" in region:
        return None
    return next((city for stem, city in STEMS if stem in region), None)


def main(ranges, regions):
    cities = {int(r["region_id"]): city(r["zone"], r["region"]) for r in csv.DictReader(open(regions), delimiter=";")}
    nationwide = {int(r["region_id"]) for r in csv.DictReader(open(regions), delimiter=";")
                  if r["region"] == "Российская Федерация"}
    owned = collections.defaultdict(lambda: collections.Counter())
    for row in csv.DictReader(open(ranges), delimiter=";"):
        first, last = int(row["from"]) - 70_000_000_000, int(row["to"]) - 70_000_000_000
        code = first // 10_000_000
        region = int(row["region_id"])
        if 801 <= code <= 809:
            continue
        name = "*" if code == 800 and region in nationwide else cities[region]
        if name is None:
            continue
        while first <= last:
            end = min(last, first // BLOCK * BLOCK + BLOCK - 1)
            owned[first // BLOCK][name] += end - first + 1
            first = end + 1
    whole = {block: next(iter(names)) for block, names in owned.items()
             if block not in GIVEN_BACK and len(names) == 1 and sum(names.values()) == BLOCK}
    spans = collections.defaultdict(lambda: collections.defaultdict(list))
    for block in sorted(whole):
        code, index = divmod(block, 1000)
        found = spans[whole[block]][code]
        if found and found[-1][0] + found[-1][1] == index:
            found[-1][1] += 1
        else:
            found.append([index, 1])
    order = CAPITALS + ["*"] + sorted(set(spans) - set(CAPITALS) - {"*"})
    print("""\
// Generated by Ranges/generate-russian-ranges.py; do not edit.
// Source: registry of the Russian numbering plan (Rossvyaz), April 2021, ranges of one region joined: facts, no text.

/// Blocks of 10,000 assigned numbers of the Russian numbering plan.
enum RussianRanges {
  /// One line per main city of a region, `*` for the whole country: after the name and a colon the three-digit codes,
  /// each with its spans `first` or `first+more`, where `first` is the block's number within the code and `more` the
  /// number of blocks after it.
  static let table: StaticString = \"\"\"""")
    for name in order:
        line = [f"{name}:"]
        for code in sorted(spans[name]):
            line.append(str(code) + "".join(f" {s}" if n == 1 else f" {s}+{n - 1}" for s, n in spans[name][code]))
        text = line[0] + ";".join(line[1:])
        # Broken between spans, so that no line of the source is longer than 120 characters.
        width = 0
        out = []
        for part in text.split(" "):
            if width and width + 1 + len(part) > 112:
                out.append(" \\\n    ")
                width = 0
            elif out:
                out.append(" ")
                width += 1
            out.append(part)
            width += len(part)
        print("    " + "".join(out))
    print('    """\n}')


main(*sys.argv[1:])
