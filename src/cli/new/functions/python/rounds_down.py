# Wrong: `//` rounds down. A sample has one mistake, and some case must find it.
def average(numbers):
    if not numbers:
        raise ValueError("no numbers")
    return sum(numbers) // len(numbers)
