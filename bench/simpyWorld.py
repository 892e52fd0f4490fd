"""The workload of workload.ts in SimPy 2, timed as measure.ts times the others: one JSON line out."""
import gc, itertools, json, sys, time
from SimPy.Simulation import Process, Simulation, hold, passivate

MASK = 0xFFFFFFFF


def next_draw(draw):
    return (draw * 1664525 + 1013904223) & MASK


def mixed(trace, now, value):
    return (((trace ^ value) * 16777619) + now) & MASK


class Receiver(Process):
    """Sleeps until it is pinged."""

    def life(self, actor):
        while True:
            yield passivate, self
            actor.pings += 1
            actor.trace = mixed(actor.trace, int(self.sim.now()), self.value)


class Actor(Process):
    def __init__(self, sim, index, actors):
        Process.__init__(self, sim=sim)
        self.draw = next_draw(index)
        self.pause = 1 + index + actors * (self.draw >> 30)
        self.ticks = 0
        self.pings = 0
        self.trace = index

    def life(self, receivers):
        sim = self.sim
        actors = len(receivers)
        while True:
            yield hold, self, self.pause
            self.draw = draw = next_draw(self.draw)
            self.pause = actors * (1 + (draw >> 30))
            self.ticks += 1
            self.trace = mixed(self.trace, int(sim.now()), draw)
            peer = receivers[(draw >> 8) % actors]
            peer.value = draw
            sim.reactivate(peer)


class World:
    def __init__(self, actors):
        self.env = Simulation()
        self.env.initialize()
        self.all = [Actor(self.env, index, actors) for index in range(actors)]
        receivers = [Receiver(sim=self.env) for _ in self.all]
        for actor, receiver in zip(self.all, receivers):
            self.env.activate(receiver, receiver.life(actor))
            self.env.activate(actor, actor.life(receivers))
        for _ in range(2 * actors):
            self.env.step()  # Each process begins.

    def advance(self, ticks):
        step = self.env.step
        for _ in itertools.repeat(None, 2 * ticks):
            step()

    def tally(self):
        checksum = 0
        for actor in self.all:
            checksum = mixed(checksum, actor.trace, actor.draw)
        ticks = sum(actor.ticks for actor in self.all)
        return {"ticks": ticks, "pings": sum(one.pings for one in self.all), "checksum": checksum}


def run_for(world, ms):
    ends = time.perf_counter() + ms / 1000
    ticks, slice_ = 0, 1
    started = time.perf_counter()
    while started < ends:
        world.advance(slice_)
        ticks += slice_
        now = time.perf_counter()
        if now - started < 0.005:
            slice_ *= 2
        started = now
    return ticks


def measured(options, actors):
    world = World(actors)
    world.advance(options["agreedTicks"])
    tally = world.tally()
    run_for(world, options["warmMs"])
    gc.collect()
    started = time.process_time()
    ticks = run_for(world, options["timedMs"])
    seconds = time.process_time() - started
    return {
        "actors": actors,
        "tally": tally,
        "envelopesPerSecond": 2 * ticks / seconds,
        "bytesPerActor": None,
    }


order = json.loads(sys.argv[1])
print(json.dumps([measured(order, actors) for actors in order["sizes"]]))
