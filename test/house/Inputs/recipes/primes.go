// SPDX-License-Identifier: Apache-2.0
package main

import "fmt"

func isPrime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n > 1
}

func main() {
	count := 0
	for n := 0; n < 1000000; n++ {
		if isPrime(n) {
			count++
		}
	}
	fmt.Println(count)
}
