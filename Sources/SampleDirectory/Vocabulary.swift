/// Syllables, kinds of business and turns of phrase that labels are put together from. The names are invented; kinds are
/// common nouns. One vocabulary per language.
struct Vocabulary {
  /// Beginnings of a name, with a capital letter.
  let heads: BytePool
  /// Middles of a name.
  let middles: BytePool
  /// Ends of a name.
  let tails: BytePool
  /// Kinds of business as the first word of a label.
  let kinds: BytePool
  /// Kinds of business as a rubric behind a comma, at most 16 letters.
  let rubrics: BytePool
  /// What may follow a name.
  let suffixes: BytePool
  /// What stands between two halves of a name.
  let joints: BytePool
  /// Institutions that are told apart by a number.
  let institutions: BytePool

  private init(
    heads: String, middles: String, tails: String, kinds: String, rubrics: String, suffixes: String, joints: [String],
    institutions: [String], capital: Bool = true
  ) {
    func pool(_ words: String, _ change: (Substring) -> String = { String($0) }) -> BytePool {
      BytePool(words.split(separator: " ").map { change($0) })
    }
    self.heads = pool(heads) { capital ? $0.prefix(1).uppercased() + $0.dropFirst() : String($0) }
    self.middles = pool(middles)
    self.tails = pool(tails)
    self.kinds = pool(kinds) { $0.split(separator: "_").joined(separator: " ") }
    self.rubrics = pool(rubrics) { $0.split(separator: "_").joined(separator: " ") }
    self.suffixes = pool(suffixes) { $0.split(separator: "_").joined(separator: " ") }
    self.joints = BytePool(joints)
    self.institutions = BytePool(institutions)
  }

  /// By ``ForeignPlan/Language``.
  static func all() -> [Vocabulary] { ForeignPlan.Language.allCases.map(Vocabulary.init) }

  init(_ language: ForeignPlan.Language) {
    switch language {
    case .russian:
      self.init(
        heads: """
          вел там бра кор лав зен мир тор гал нор сав рин дел кам пол вес лаг тун фер хол яр эл ас ол ум ин об ви до ка \
          ла ма на ро са та ва га зе ло ме не пе ре се те фа ша ди ко ли ми ри си ти
          """,
        middles: """
          ора ави ими ста ело уро ани еви ого аби ере ири око упи ами ета игу оле ари ефи азу ова инга елли орти ангу \
          ехо умо ита або
          """,
        tails:
          "на та ра кс ль рия ник вит дор мет тика лон рис вер лис ма ста гор лад рум нта сон трон лайн ум ей он ис",
        kinds: """
          кафе аптека магазин салон ателье студия клиника автосервис шиномонтаж пекарня гостиница столовая парикмахерская \
          ломбард фотостудия химчистка ветклиника стоматология типография автошкола мебель окна двери цветы продукты \
          стройматериалы зоомагазин оптика ресторан бар пиццерия кофейня хостел фитнес-клуб склад такси ООО ИП АО
          """,
        rubrics: """
          кафе аптека магазин салон_красоты автосервис пекарня гостиница столовая ломбард химчистка ветклиника \
          стоматология типография автошкола мебель окна двери цветы продукты зоотовары оптика ресторан бар суши_бар \
          кофейня хостел фитнес такси юристы нотариус агентство грузоперевозки кондиционеры сантехника электрика \
          турфирма бассейн автомойка запчасти склад
          """,
        suffixes: "сервис плюс групп маркет центр мастер строй торг опт экспресс дом люкс",
        joints: ["-", " и ", " ", " & "],
        institutions: [
          "Школа №", "Детский сад №", "Отделение связи №", "Городская поликлиника №", "Библиотека №", "Гимназия №",
          "Лицей №", "Городская больница №", "Пожарная часть №", "Котельная №", "Общежитие №", "Автобусный парк №",
          "Почтовое отделение ", "Участок №",
        ])
    case .english: self.init(latin: "Coffee Pharmacy Auto_Repair Pizza Dental Books Fitness Cleaners Motors Bakery")
    case .german: self.init(latin: "Apotheke Bäckerei Autohaus Praxis Gasthof Friseur Reisebüro Blumen Möbel Optik")
    case .french:
      self.init(latin: "Boulangerie Pharmacie Garage Coiffure Café Hôtel Fleuriste Librairie Optique Épicerie")
    case .italian:
      self.init(latin: "Farmacia Trattoria Autofficina Panificio Albergo Ottica Libreria Fioraio Bar Palestra")
    case .turkish:
      self.init(latin: "Eczanesi Fırın Otomotiv Kuaför Lokantası Kırtasiye Çiçekçilik Mobilya Optik Market")
    case .chinese:
      self.init(
        heads: "安 康 德 福 和 华 佳 金 丽 美 明 瑞 泰 天 新 星 永 元 正 中",
        middles: "宝 成 达 丰 光 海 恒 宏 吉 嘉 健 景 乐 隆 民 宁 平 庆 仁 荣 盛 顺 祥 兴 益",
        tails: "堂 源 记 园 轩 居 阁 坊 行 号", kinds: "药房 餐厅 咖啡 酒店 书店 超市 诊所 花店 眼镜 汽车",
        rubrics: "药房 餐厅 咖啡 酒店 书店 超市 诊所 花店 眼镜 汽车", suffixes: "分店 总店 门市 连锁 旗舰店", joints: ["·", "", "／"],
        institutions: ["第一小学 ", "邮政支局 ", "卫生站 "], capital: false)
    }
  }

  private init(latin kinds: String) {
    self.init(
      heads: """
        vel tam bra cor lav zen mir tor gal nor sav rin del cam pol ves lag tun fer hol yar el as ol um in ob vi do ka \
        la ma na ro sa ta wa ga ze lo me ne pe re se te fa sha di co li mi ri si ti
        """,
      middles: "ora avi imi sta elo uro ani evi ogo abi ere iri oko upi ami eta igu ole ari efi azu ova inga elli orti",
      tails: "na ta ra x l ria nik vit dor met tica lon ris ver lis ma sta gor lad rum nta son tron line um ey on is",
      kinds: kinds, rubrics: kinds, suffixes: "Plus Group Center Express House Pro Store Co Ltd Service",
      joints: ["-", " & ", " ", " + "], institutions: ["Post Office ", "Station ", "Unit No. "])
  }
}
