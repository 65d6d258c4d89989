// SPDX-License-Identifier: Apache-2.0
// Every other flag that Paddle 2.5 to 3.3 reads from the environment, so that it is not taken for a
// misspelt one. Made from testdata/frameworks/paddle-names-*.txt; the table test compares.
#include "cli/doctor/memory_flags.h"

namespace gpusight::doctor {
namespace {

// Sorted, without FLAGS_, each between spaces.
constexpr std::string_view kNames =
    " accuracy_check_atol_bf16 accuracy_check_atol_fp16 accuracy_check_atol_fp32 "
    "accuracy_check_rtol_bf16 accuracy_check_rtol_fp16 accuracy_check_rtol_fp32 "
    "add_dependency_for_communication_op all_blocks_convert_trt allreduce_record_one_event "
    "ap_enable_classic_gemm_epilogue apply_pass_to_program async_trace_count benchmark "
    "benchmark_nccl blha_use_fp32_qk_sum cache_inference_while_scope call_stack_level "
    "check_cuda_error check_infer_symbolic check_kernel_launch check_nan_inf "
    "check_nan_inf_level cinn_kernel_cache_save_path communicator_is_sgd_optimizer "
    "communicator_max_merge_var_num communicator_send_queue_size comp_skip_default_ops "
    "conv2d_disable_cudnn convert_all_blocks cpu_deterministic cse_max_count cublas_dir "
    "cublaslt_device_best_config cublaslt_exhaustive_search_times cuda_cccl_dir "
    "cuda_core_int8_gemm cuda_dir cuda_graph_blacklist cudnn_batchnorm_spatial_persistent "
    "cudnn_deterministic cudnn_dir cudnn_exhaustive_search cudnn_exhaustive_search_times "
    "cupti_dir curand_dir cusolver_dir cusparse_dir cusparselt_dir disable_dyshape_in_train "
    "disable_logging_op_attr_list dist_threadpool_size dump_api_and_gradnode_python_stack_dir "
    "dump_api_python_stack_path dump_grad_node_forward_stack_path dygraph_debug "
    "dynamic_static_unified_comm eager_communication_connection einsum_opt "
    "embedding_deterministic enable_adjust_op_order enable_all2all_use_fp16 enable_ap "
    "enable_api_kernel_fallback enable_append_iters_in_fusion enable_async_trace "
    "enable_auto_detect_gpu_topo enable_auto_layout_pass enable_auto_layout_pass_in_inference "
    "enable_auto_parallel_align_mode enable_auto_rdma_trans enable_blaslt_global_search "
    "enable_cinn_accuracy_check enable_cinn_kernel_cache enable_collect_shape "
    "enable_cse_in_dy2st enable_cublas_tensor_op_math enable_custom_engine "
    "enable_dependency_builder_debug_info enable_dump_main_program "
    "enable_exit_when_partial_worker enable_fuse_parallel_matmul_pass enable_fusion_fallback "
    "enable_fusion_result_check enable_graph_multi_node_sampling enable_neighbor_list_use_uva "
    "enable_opt_get_features enable_pir_api enable_pir_in_executor "
    "enable_pir_in_executor_trace_run enable_pir_with_pt_in_dy2st enable_reuse_iters_in_fusion "
    "enable_rpc_profiler enable_sparse_inner_gather enable_tracker_all2all "
    "enable_transpose_iters_in_fusion enable_unique_name enable_unused_var_check "
    "executor_log_deps_every_microseconds flagcx_dir fleet_executor_with_standalone "
    "force_stride_compute_contig_out force_sync_ops fuse_parameter_groups_size "
    "fused_multi_transformer_op_use_mbfmha gemm_use_half_precision_compute_type "
    "get_host_by_name_time gpugraph_debug_gpu_memory gpugraph_dedup_pull_push_mode "
    "gpugraph_enable_gpu_direct_access gpugraph_enable_hbm_table_collision_stat "
    "gpugraph_enable_print_op_debug gpugraph_enable_segment_merge_grads "
    "gpugraph_force_device_batch_num_equal gpugraph_hbm_table_load_factor "
    "gpugraph_load_node_list_into_hbm gpugraph_merge_grads_segment_size "
    "gpugraph_offload_gather_copy_maxsize gpugraph_offload_param_extends "
    "gpugraph_offload_param_stat gpugraph_parallel_copyer_split_maxsize "
    "gpugraph_parallel_stream_num gpugraph_slot_feasign_max_num "
    "gpugraph_sparse_table_storage_mode gpugraph_storage_mode graph_edges_debug_node_id "
    "graph_edges_debug_node_num graph_edges_split_debug graph_edges_split_mode "
    "graph_edges_split_only_by_src_id graph_embedding_split_infer_mode graph_get_neighbor_id "
    "graph_load_in_parallel graph_metapath_split_opt graph_neighbor_size_percent hml_dir "
    "host_trace_level inner_op_parallelism ir_inplace_kernel_blacklist jit_engine_type "
    "lapack_dir logging_pir_py_code_dir logging_pir_py_code_dump_symbolic_dims "
    "logging_pir_py_code_int_tensor_element_limit logging_trunc_pir_py_code "
    "low_precision_op_list manually_trans_conv_filter max_inplace_grad_add "
    "merge_all_horizontal_groups mkl_dir mklml_dir multi_block_attention_min_partition_size "
    "multi_node_sample_use_gpu_table multiple_of_cupti_buffer_size nccl_blocking_wait nccl_dir "
    "new_executor_sequential_run new_executor_serial_run new_executor_static_build "
    "new_executor_use_cuda_graph new_executor_use_inplace new_executor_use_local_scope "
    "npu_storage_format nvidia_package_dir op_dir paddle_num_threads "
    "parameters_persistent_mode_in_dy2st pe_profile_fname pir_apply_inplace_pass "
    "pir_broadcast_tree_limit pir_interpreter_record_stream_for_gc_cache "
    "pir_subgraph_saving_dir prim_all prim_backward prim_check_ops prim_enable_dynamic "
    "prim_enabled prim_forward prim_forward_blacklist prim_skip_dynamic print_ir "
    "print_kernel_run_info print_offload_info print_sub_graph_dir query_dest_rank_by_multi_node "
    "reader_queue_speed_test_mode rocksdb_path rpc_send_thread_num run_kp_kernel "
    "save_cf_stack_op save_static_runtime_data search_cache_max_number selected_gpus set_to_1d "
    "share_tensor_for_grad_tensor_holder sort_sum_gradient specialize_device_in_dy2st "
    "static_executor_perfstat_filepath static_runtime_data_save_path sync_nccl_allreduce "
    "tcp_max_syn_backlog tcp_store_using_libuv tensor_md5_checksum_output_path "
    "tensor_md5_checksum_precision tensor_md5_checksum_use_binary_format tensor_operants_mode "
    "tensorrt_dir tracer_mkldnn_ops_off tracer_mkldnn_ops_on tracer_onednn_ops_off "
    "tracer_onednn_ops_on tracer_profile_fname trt_engine_serialized_path trt_ibuilder_cache "
    "trt_min_group_size use_accuracy_compatible_kernel use_autotune use_default_stream "
    "use_fast_math use_legacy_gemm use_legacy_linear use_mkldnn use_onednn "
    "use_stride_compute_kernel use_stride_kernel use_xqa_optim win_cuda_bin_dir ";

// In builds that were not looked into: with the CINN compiler, with cuDNN's frontend, newer ones.
constexpr std::string_view kOtherBuilds =
    " allow_cinn_ops cinn_compile_thread_num cinn_subgraph_graphviz_dir "
    "cuda_memory_async_pool_release_threshold cudnn_cache_saturation_count "
    "custom_device_mem_record deny_cinn_ops enable_cinn_auto_tune enable_cinn_compile_cache "
    "enable_cudnn_frontend enable_interpretercore_launch_cinn pir_apply_shape_optimization_pass "
    "pir_debug use_cinn use_multi_scale_virtual_memory_auto_growth ";

}  // namespace

bool KnownToPaddle(std::string_view name) {
  if (FindFlag(name) != nullptr) return true;
  if (!name.starts_with("FLAGS_")) return false;
  const std::string word = " " + std::string(name.substr(6)) + " ";
  return kNames.find(word) != std::string_view::npos ||
         kOtherBuilds.find(word) != std::string_view::npos;
}

}  // namespace gpusight::doctor
