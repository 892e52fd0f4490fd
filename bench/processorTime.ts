/** Milliseconds of the processor, all threads of this process together: a host has other work. */
export function processorMs(run: () => void): number {
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}
