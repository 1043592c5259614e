#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

/** Het bord van één spelletje Quixo. */
class Quixo {
public:
    /** Legt n rijen van n blanco dobbelstenen klaar. */
    explicit Quixo(double n) {
        throw std::logic_error("nog niet geschreven");
    }

    /** Legt n rijen van n dobbelstenen klaar, zoals de tekst str ze beschrijft. */
    Quixo(double n, const std::string &str) {
        throw std::logic_error("nog niet geschreven");
    }

    /** Zet een naam zoals B1 om in rij en kolom, geteld vanaf nul. */
    std::vector<int> positie(const std::string &positie) const {
        throw std::logic_error("nog niet geschreven");
    }

    /** Neemt de dobbelsteen op van, duwt hem met dit symbool bij naar weer in het bord, en geeft het bord terug. */
    Quixo &beurt(const std::string &symbool, const std::string &van, const std::string &naar) {
        throw std::logic_error("nog niet geschreven");
    }
};

/** Toont het bord: een regel voor elke rij. */
std::ostream &operator<<(std::ostream &uit, const Quixo &bord) {
    throw std::logic_error("nog niet geschreven");
}
