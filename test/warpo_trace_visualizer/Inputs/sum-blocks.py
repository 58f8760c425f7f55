"""How often each function below the outermost is called in a flame chart, and for how long."""
import collections
import re
import sys

calls, times = collections.Counter(), collections.Counter()
for frame in re.finditer(r'<g class="frame h[^>]*data-level="2"[^>]*>.*', open(sys.argv[1], encoding="utf-8").read()):
    name = re.search("<title>(.*)", frame[0])[1]
    count = re.search(' data-count=" ×([0-9,]+)"', frame[0])
    calls[name] += int(count[1].replace(",", "")) if count else 1
    times[name] += int(re.search(' data-(?:spent|weight)="([0-9]+)"(?!.* data-spent)', frame[0])[1])
for name in calls:
    print(f"{name}: {calls[name]} calls, {times[name]} ns")
