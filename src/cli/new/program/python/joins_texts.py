# Wrong: `input` returns text, and `+` joins it. A sample has one mistake, and some case must find it.
first = input("First number: ")
second = input("Second number: ")
print("Sum:", first + second)
