# Right, but written in another way than the solution. It must get all points.
def ask(which):
    print(which, "number: ", end="")
    return int(input())


def main():
    total = sum(ask(which) for which in ("First", "Second"))
    print(f"Sum: {total}")


if __name__ == "__main__":
    main()
