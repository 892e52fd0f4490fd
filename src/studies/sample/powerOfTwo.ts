/** For whole numbers from 1 to below 2³¹. */
export const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;
