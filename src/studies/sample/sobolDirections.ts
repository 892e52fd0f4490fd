/**
 * Direction numbers for Sobol sequences: the first 64 dimensions of the table `new-joe-kuo-6.21201`, and what follows from them.
 *
 * Source: Stephen Joe and Frances Y. Kuo, web.maths.unsw.edu.au/~fkuo/sobol; S. Joe and F. Y. Kuo, "Constructing Sobol
 * sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30, 2635–2654 (2008). The numbers alone are theirs.
 */

/*
Licence pertaining to sobol.cc and the accompanying sets of direction numbers:

Copyright (c) 2008, Frances Y. Kuo and Stephen Joe
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

    * Redistributions of source code must retain the above copyright
      notice, this list of conditions and the following disclaimer.

    * Redistributions in binary form must reproduce the above copyright
      notice, this list of conditions and the following disclaimer in the
      documentation and/or other materials provided with the distribution.

    * Neither the names of the copyright holders nor the names of the
      University of New South Wales and the University of Waikato
      and its contributors may be used to endorse or promote products derived
      from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS ``AS IS'' AND ANY
EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS BE LIABLE FOR ANY
DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND
ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

import { assert } from "../../substrate/assert.ts";

/** Bits of a coordinate, and so of a sequence: it repeats after 2³² points. */
export const SOBOL_BITS = 32;

/** Each line is a dimension from the second on: its number d, the degree s, the coefficients a, and m₁ … mₛ. */
const TABLE = `
2 1 0 1
3 2 1 1 3
4 3 1 1 3 1
5 3 2 1 1 1
6 4 1 1 1 3 3
7 4 4 1 3 5 13
8 5 2 1 1 5 5 17
9 5 4 1 1 5 5 5
10 5 7 1 1 7 11 19
11 5 11 1 1 5 1 1
12 5 13 1 1 1 3 11
13 5 14 1 3 5 5 31
14 6 1 1 3 3 9 7 49
15 6 13 1 1 1 15 21 21
16 6 16 1 3 1 13 27 49
17 6 19 1 1 1 15 7 5
18 6 22 1 3 1 15 13 25
19 6 25 1 1 5 5 19 61
20 7 1 1 3 7 11 23 15 103
21 7 4 1 3 7 13 13 15 69
22 7 7 1 1 3 13 7 35 63
23 7 8 1 3 5 9 1 25 53
24 7 14 1 3 1 13 9 35 107
25 7 19 1 3 1 5 27 61 31
26 7 21 1 1 5 11 19 41 61
27 7 28 1 3 5 3 3 13 69
28 7 31 1 1 7 13 1 19 1
29 7 32 1 3 7 5 13 19 59
30 7 37 1 1 3 9 25 29 41
31 7 41 1 3 5 13 23 1 55
32 7 42 1 3 7 3 13 59 17
33 7 50 1 3 1 3 5 53 69
34 7 55 1 1 5 5 23 33 13
35 7 56 1 1 7 7 1 61 123
36 7 59 1 1 7 9 13 61 49
37 7 62 1 3 3 5 3 55 33
38 8 14 1 3 1 15 31 13 49 245
39 8 21 1 3 5 15 31 59 63 97
40 8 22 1 3 1 11 11 11 77 249
41 8 38 1 3 1 11 27 43 71 9
42 8 47 1 1 7 15 21 11 81 45
43 8 49 1 3 7 3 25 31 65 79
44 8 50 1 3 1 1 19 11 3 205
45 8 52 1 1 5 9 19 21 29 157
46 8 56 1 3 7 11 1 33 89 185
47 8 67 1 3 3 3 15 9 79 71
48 8 70 1 3 7 11 15 39 119 27
49 8 84 1 1 3 1 11 31 97 225
50 8 97 1 1 1 3 23 43 57 177
51 8 103 1 3 7 7 17 17 37 71
52 8 115 1 3 1 5 27 63 123 213
53 8 122 1 1 3 5 11 43 53 133
54 9 8 1 3 5 5 29 17 47 173 479
55 9 13 1 3 3 11 3 1 109 9 69
56 9 16 1 1 1 5 17 39 23 5 343
57 9 22 1 3 1 5 25 15 31 103 499
58 9 25 1 1 1 11 11 17 63 105 183
59 9 44 1 1 5 11 9 29 97 231 363
60 9 47 1 1 5 15 19 45 41 7 383
61 9 52 1 3 7 7 31 19 83 137 221
62 9 55 1 1 1 3 23 15 111 223 83
63 9 59 1 1 5 13 31 15 55 25 161
64 9 62 1 1 3 13 25 47 39 87 257
`;

interface Line {
  readonly degree: number;
  readonly coefficients: number;
  readonly first: readonly number[];
}

const lines: readonly Line[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [, degree = 0, coefficients = 0, ...first] = line.split(" ").map(Number);
    return { degree, coefficients, first };
  });

/** Ours: as far as the table above is copied. Saltelli's design needs two dimensions a factor. */
export const SOBOL_DIMENSIONS_MAX = lines.length + 1;

/** The 32 direction numbers of a dimension, counted from 0, each a whole number below 2³² with its first bit on the left. */
export function sobolDirections(dimension: number): Uint32Array {
  assert(dimension < SOBOL_DIMENSIONS_MAX, "the table of direction numbers ends before");
  const directions = new Uint32Array(SOBOL_BITS);
  const line = lines[dimension - 1];
  for (let bit = 0; bit < SOBOL_BITS; bit += 1) {
    directions[bit] = line === undefined ? bitAt(bit) : directionOf(line, directions, bit);
  }
  return directions;
}

const bitAt = (bit: number): number => (1 << (SOBOL_BITS - 1 - bit)) >>> 0;

function directionOf(line: Line, before: Uint32Array, bit: number): number {
  const { degree, coefficients, first } = line;
  if (bit < degree) return ((first[bit] ?? 0) << (SOBOL_BITS - 1 - bit)) >>> 0;
  const oldest = before[bit - degree] ?? 0;
  let direction = oldest ^ (oldest >>> degree);
  for (let back = 1; back < degree; back += 1) {
    if ((coefficients >>> (degree - 1 - back)) & 1) direction ^= before[bit - back] ?? 0;
  }
  return direction >>> 0;
}
