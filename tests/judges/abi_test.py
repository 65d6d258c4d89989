# SPDX-License-Identifier: Apache-2.0
"""Our own declarations of NVML (src/probe/nvml/abi.h) against nvidia-ml-py's: size and offsets of every
structure, and every constant."""

import ctypes
import json
import os
import subprocess
import unittest

import pynvml

STRUCTS = {
    "Memory": "c_nvmlMemory_t",
    "MemoryV2": "c_nvmlMemory_v2_t",
    "Bar1Memory": "c_nvmlBAR1Memory_t",
    "Utilization": "c_nvmlUtilization_t",
    "DynamicPstates": "c_nvmlGpuDynamicPstatesInfo_t",
    "ProcessInfo24": "c_nvmlProcessInfo_v3_t",
    "ProcessInfo32": "c_nvmlProcessDetail_v1_t",
    "ProcessUtilization": "c_nvmlProcessUtilizationSample_t",
    "ProcessUtilizationV1": "c_nvmlProcessUtilizationInfo_v1_t",
    "ProcessesUtilizationV1": "c_nvmlProcessesUtilizationInfo_v1_t",
    "Sample": "c_nvmlSample_t",
    "FieldValue": "c_nvmlFieldValue_t",
    "PciInfo": "nvmlPciInfo_t",
    "DeviceAttributes": "c_nvmlDeviceAttributes",
    "ViolationTime": "c_nvmlViolationTime_t",
    "MarginTemperature": "c_nvmlMarginTemperature_v1_t",
    "EventData": "c_nvmlEventData_t",
    "GpmMetric": "c_nvmlGpmMetric_t",
    "GpmMetricsGet": "c_nvmlGpmMetricsGet_t",
    "GpmSupport": "c_nvmlGpmSupport_t",
}
# Its last field is an array whose length each library chooses for itself.
OWN_LENGTH = {"GpmMetricsGet"}


def flat_offsets(struct, base=0):
    """Of the fields in their order; those of a structure within the structure in its place."""
    for name, kind in struct._fields_:
        at = base + getattr(struct, name).offset
        if issubclass(kind, ctypes.Structure):
            yield from flat_offsets(kind, at)
        else:
            yield at


class Abi(unittest.TestCase):
    def setUp(self):
        program = os.path.join(os.environ["GPUSIGHT_BUILD"], "bin", "judge_abi_sizes")
        self.ours = json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)

    def test_every_structure_is_known_to_the_judge(self):
        self.assertEqual(set(self.ours["structs"]), set(STRUCTS))

    def test_structures_have_the_same_layout(self):
        for name, ours in self.ours["structs"].items():
            theirs = getattr(pynvml, STRUCTS[name])
            offsets = list(flat_offsets(theirs))
            with self.subTest(name):
                self.assertEqual(ours["offsets"], offsets)
                if name not in OWN_LENGTH:
                    self.assertEqual(ours["size"], ctypes.sizeof(theirs))

    def test_constants_are_the_same(self):
        for name, ours in self.ours["constants"].items():
            theirs = getattr(pynvml, name)
            with self.subTest(name):
                self.assertEqual(ours, getattr(theirs, "value", theirs))


if __name__ == "__main__":
    unittest.main()
