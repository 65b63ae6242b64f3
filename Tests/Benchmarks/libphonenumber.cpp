// Times libphonenumber over the rows of a list: lines of raw TAB region. Prints nanoseconds a number, least of five rounds.
//     g++ -O2 -o libphonenumber libphonenumber.cpp -lphonenumber        (Debian: libphonenumber-dev)
#include <phonenumbers/phonenumberutil.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

int main(int count, char **arguments) {
  using i18n::phonenumbers::PhoneNumber;
  using i18n::phonenumbers::PhoneNumberUtil;
  if (count < 2) return 64;
  std::ifstream file(arguments[1]);
  std::vector<std::pair<std::string, std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    const auto tab = line.find('\t');
    if (tab != std::string::npos) rows.emplace_back(line.substr(0, tab), line.substr(tab + 1));
  }
  auto *util = PhoneNumberUtil::GetInstance();
  double best = 1e300;
  size_t accepted = 0;
  for (int round = 0; round < 5; round++) {
    const auto start = std::chrono::steady_clock::now();
    for (const auto &[raw, region] : rows) {
      PhoneNumber number;
      std::string text;
      if (util->Parse(raw, region, &number) != PhoneNumberUtil::NO_PARSING_ERROR) continue;
      util->Format(number, PhoneNumberUtil::E164, &text);
      accepted++;
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / rows.size());
  }
  std::cout << "libphonenumber: numbers " << rows.size() << " " << best << " ns (" << accepted / 5 << " accepted)\n";
}
