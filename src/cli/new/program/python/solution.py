first = int(input("First number: "))
second = int(input("Second number: "))
print("Sum:", first + second)
