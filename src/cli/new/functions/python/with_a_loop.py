# Right, but written in another way than the solution. It must get all points.
def average(numbers):
    total = 0
    count = 0
    for number in numbers:
        total += number
        count += 1
    if count == 0:
        raise ValueError("no numbers")
    return total / count
