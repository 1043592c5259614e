#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

/** Een rij en een kolom, geteld vanaf nul. */
using Positie = std::pair<int, int>;

/** Wat de puzzel gooit als iets niet mag. */
class AssertionError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/** Eén puzzel, met de gegeven en de ingevulde vakjes. */
class YinYang {
public:
    /** Maakt de puzzel met de gegeven witte en zwarte vakjes. */
    YinYang(int dimensie, const std::set<Positie> &wit, const std::set<Positie> &zwart) {
        throw std::logic_error("nog niet geschreven");
    }

    /** Kleurt het lege vakje p wit en geeft de puzzel zelf terug. */
    YinYang &maak_wit(Positie p) {
        throw std::logic_error("nog niet geschreven");
    }

    /** Kleurt het lege vakje p zwart en geeft de puzzel zelf terug. */
    YinYang &maak_zwart(Positie p) {
        throw std::logic_error("nog niet geschreven");
    }

    /** Wist het ingevulde vakje p en geeft de puzzel zelf terug. */
    YinYang &maak_leeg(Positie p) {
        throw std::logic_error("nog niet geschreven");
    }

    /** Geeft de posities die met dezelfde kleur aan p vasthangen. */
    std::set<Positie> aaneengesloten_gebied(Positie p) const {
        throw std::logic_error("nog niet geschreven");
    }

    /** Zegt of de puzzel af is. */
    bool isopgelost() const {
        throw std::logic_error("nog niet geschreven");
    }
};

/** Toont het rooster: hoofdletters voor wat gegeven was, kleine letters voor wat ingevuld is. */
std::ostream &operator<<(std::ostream &uit, const YinYang &puzzel) {
    throw std::logic_error("nog niet geschreven");
}
