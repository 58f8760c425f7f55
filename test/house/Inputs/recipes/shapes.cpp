// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Circle : Shape {
  double r;
  explicit Circle(double r) : r(r) {}
  double area() const override { return 3.14159 * r * r; }
};
struct Square : Shape {
  double a;
  explicit Square(double a) : a(a) {}
  double area() const override { return a * a; }
};

std::map<std::string, double> sums(const std::vector<Shape *> &shapes) {
  std::map<std::string, double> result;
  for (const Shape *shape : shapes)
    result["shape " + std::to_string(int(shape->area()) % 100)] += shape->area();
  return result;
}

int main() {
  std::vector<Shape *> shapes;
  for (int i = 0; i < 2000; ++i)
    shapes.push_back(i % 2 ? static_cast<Shape *>(new Circle(i)) : new Square(i));
  double total = 0;
  for (int i = 0; i < 200; ++i)
    for (auto &[name, sum] : sums(shapes))
      total += sum;
  std::printf("%.0f\n", total);
}
